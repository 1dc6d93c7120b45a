"""Moments as marks on a time axis: lines with their names, and small marks at the bottom."""

from zoneinfo import ZoneInfo

import altair as alt

from dashboard.charts.theme import TEXT_SIZE, ChartTheme
from dashboard.charts.time_axis import time_tooltip

_BELOW_BAND_NAMES = 20
"""Pixels from the top, where a band has its name."""
ALERT_COLOR = "#c2185b"
_TICK_SIZE = 40
"""Area of the mark of an alert, pixels."""


def event_lines(data: str, x: alt.X, zone: ZoneInfo, theme: ChartTheme) -> list[alt.Chart]:
    """Return the layers of a dashed line for each event, with its name along it.

    ``data`` is the name of the data: time (UTC) and name. ``x`` is the axis of ``time``.
    """
    event = alt.Chart(alt.NamedData(data)).encode(x=x, tooltip=_tooltip(zone, "Event"))
    name = event.mark_text(
        clip=True,  # else the chart would shrink to make room for long names
        angle=270,
        align="right",
        baseline="bottom",
        dx=-4,
        fontSize=TEXT_SIZE,
        color=theme.text_color,
    )
    return [
        event.mark_rule(strokeDash=[4, 3], strokeWidth=1.5, color=theme.text_color, opacity=0.7),
        name.encode(y=alt.value(_BELOW_BAND_NAMES), text="name:N"),
    ]


def alert_marks(data: str, x: alt.X, zone: ZoneInfo) -> alt.Chart:
    """Return the layer of a small triangle at the bottom for each alert.

    ``data`` is the name of the data: time (UTC) and name. ``x`` is the axis of ``time``.
    """
    mark = alt.Chart(alt.NamedData(data)).mark_point(
        shape="triangle-up",
        filled=True,
        size=_TICK_SIZE,
        yOffset=-5,
        color=ALERT_COLOR,
        opacity=0.8,
    )
    return mark.encode(x=x, y=alt.value("height"), tooltip=_tooltip(zone, "Alert"))


def _tooltip(zone: ZoneInfo, title: str) -> list[alt.Tooltip]:
    return [
        alt.Tooltip("name:N", title=title),
        time_tooltip("time", "Time", zone, "%H:%M:%S"),
    ]
