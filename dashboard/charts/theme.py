"""What all charts share: the theme's colours, and hours laid from left to right."""

from typing import Any, Literal
from zoneinfo import ZoneInfo

import altair as alt
import streamlit as st


def theme_option(name: str) -> Any:
    """Return an option of the theme that the viewer has, light or dark."""
    kind = st.context.theme.type or "light"
    return st.get_option(f"theme.{kind}.{name}")


def text_color() -> str:
    """Return the theme's colour of text, since the charts' own grey is too faint to be read."""
    return str(theme_option("textColor") or "gray")


def categorical() -> list[str]:
    """Return the theme's colours for things that differ in kind."""
    return list(theme_option("chartCategoricalColors") or [])


def sequential() -> list[str]:
    """Return the theme's colours from little to much."""
    return list(theme_option("chartSequentialColors") or [])


def _time_scale(zone: ZoneInfo) -> alt.Scale:
    """Return the scale of times in the viewer's zone.

    A browser draws times in its own zone, which is the viewer's; ``zone`` is UTC where that is not
    known.
    """
    return alt.Scale(type=_kind(zone))


def _kind(zone: ZoneInfo) -> Literal["utc", "time"]:
    return "utc" if zone.key == "UTC" else "time"


def _writer(zone: ZoneInfo) -> str:
    """Return Vega's function that writes a moment in the zone."""
    return f"{_kind(zone)}Format"


def hours_across(field: str, zone: ZoneInfo) -> alt.X:
    """Lay hours from left to right, with the day where one begins."""
    midnight = f"{_writer(zone)}(datum.value, '%H:%M') == '00:00'"
    form = f"{midnight} ? '%a %e %b' : '%H:%M'"
    return times_across(field, zone, form, ticks=8).bandPosition(0)


def times_across(field: str, zone: ZoneInfo, form: str, ticks: int) -> alt.X:
    """Lay moments from left to right; ``form`` is the Vega expression of their labels' format."""
    axis = alt.Axis(
        title=None,
        grid=False,
        labelOverlap=True,
        tickCount=ticks,
        labelExpr=f"{_writer(zone)}(datum.value, {form})",
    )
    return alt.X(f"{field}:T", scale=_time_scale(zone), axis=axis)


def moment_tip(
    field: str, title: str, zone: ZoneInfo, form: str = "%a %e %b, %H:%M"
) -> alt.Tooltip:
    """Show a moment when it is pointed at, in the same zone as the axis."""
    return alt.Tooltip(f"{field}:T", title=title, format=form, formatType=_kind(zone))


def legible(chart: Any) -> Any:
    """Give axes and legends the theme's colour of text."""
    text = text_color()
    return chart.configure_axis(labelColor=text, titleColor=text).configure_legend(
        labelColor=text, titleColor=text
    )
