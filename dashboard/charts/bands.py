"""Named spans of time as bands behind a chart's marks."""

from zoneinfo import ZoneInfo

import altair as alt

from dashboard.charts.theme import TEXT_SIZE, ChartTheme
from dashboard.charts.time_axis import time_tooltip

DRILL_COLOR = "#d97706"
OFFLINE_COLOR = "#c2185b"
UNKNOWN_COLOR = "#7a8794"
_OPACITY = 0.2


def bands(
    data: str,
    x: alt.X,
    zone: ZoneInfo,
    theme: ChartTheme,
    *,
    title: str,
    color: str,
    time_format: str = "%H:%M:%S",
) -> list[alt.Chart]:
    """Return the layers of a band for each span, with its name on it.

    ``data`` is the name of the data: start and end (UTC) and name of each span. ``x`` is the axis
    of ``start``, and ``title`` says what the spans are.
    """
    span = alt.Chart(alt.NamedData(data)).encode(
        x=x,
        tooltip=[
            alt.Tooltip("name:N", title=title),
            time_tooltip("start", "From", zone, time_format),
            time_tooltip("end", "To", zone, time_format),
        ],
    )
    name = span.mark_text(
        align="left", baseline="top", dx=3, dy=2, color=theme.text_color, fontSize=TEXT_SIZE
    )
    return [
        span.mark_rect(opacity=_OPACITY, color=color).encode(x2="end:T"),
        name.encode(y=alt.value(0), text="name:N"),
    ]
