"""Time axes and tooltips in the viewer's time zone.

A browser draws times in its own time zone, which is the viewer's. Only UTC needs other names.
"""

from typing import Literal
from zoneinfo import ZoneInfo

import altair as alt


def hour_axis(field: str, zone: ZoneInfo) -> alt.X:
    """Return an x axis of hours; midnight carries the date."""
    is_midnight = f"{_format_function(zone)}(datum.value, '%H:%M') == '00:00'"
    label_format = f"{is_midnight} ? '%a %e %b' : '%H:%M'"
    return time_axis(field, zone, label_format, tick_count=8).bandPosition(0)


def time_axis(field: str, zone: ZoneInfo, label_format: str, tick_count: int) -> alt.X:
    """Return an x axis of times; ``label_format`` is a Vega expression that gives a D3 format."""
    axis = alt.Axis(
        title=None,
        grid=False,
        labelOverlap=True,
        tickCount=tick_count,
        labelExpr=f"{_format_function(zone)}(datum.value, {label_format})",
    )
    return alt.X(f"{field}:T", scale=alt.Scale(type=_scale_type(zone)), axis=axis)


def time_tooltip(
    field: str, title: str, zone: ZoneInfo, time_format: str = "%a %e %b, %H:%M"
) -> alt.Tooltip:
    """Return a tooltip with a time; ``time_format`` is a D3 format."""
    return alt.Tooltip(f"{field}:T", title=title, format=time_format, formatType=_scale_type(zone))


def _scale_type(zone: ZoneInfo) -> Literal["utc", "time"]:
    return "utc" if zone.key == "UTC" else "time"


def _format_function(zone: ZoneInfo) -> str:
    """Return the name of Vega's function that formats a time."""
    return f"{_scale_type(zone)}Format"
