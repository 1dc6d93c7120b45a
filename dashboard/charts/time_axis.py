"""Time axes and tooltips in the viewer's time zone.

A browser draws times in its own time zone, which is the viewer's. Only UTC needs other names.
"""

from datetime import datetime
from typing import Literal
from zoneinfo import ZoneInfo

import altair as alt
import pandas as pd


def hour_axis(field: str, zone: ZoneInfo, span: tuple[datetime, datetime] | None = None) -> alt.X:
    """Return an x axis of hours; midnight carries the date.

    It has the whole ``span`` (UTC), if one is given. The browser draws the chart anew when that
    changes, so ``time_span_layer`` is better for a span that does so often.
    """
    is_midnight = f"{_format_function(zone)}(datum.value, '%H:%M') == '00:00'"
    label_format = f"{is_midnight} ? '%a %e %b' : '%H:%M'"
    axis = time_axis(field, zone, label_format, tick_count=8).bandPosition(0)
    if span is None:
        return axis
    ends = [moment.timestamp() * 1000 for moment in span]
    return axis.scale(type=_scale_type(zone), domain=ends)


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


def time_span_layer(x: alt.X) -> alt.Chart:
    """Return a layer that nobody sees, and that makes the time axis reach to both ends of a span.

    ``x`` is the axis of the field ``time``. The ends are the data ``span`` and no part of the
    chart's description, so that the chart stays in place when they move.
    """
    ends = alt.Chart(alt.NamedData("span"))
    return ends.mark_point(opacity=0, tooltip=False, aria=False).encode(x=x)


def time_span_data(span: tuple[datetime, datetime]) -> pd.DataFrame:
    """Return the data ``span`` of the layer ``time_span_layer``."""
    return pd.DataFrame({"time": span})


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
