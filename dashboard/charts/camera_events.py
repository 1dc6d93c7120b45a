"""One camera's events on a time axis."""

from zoneinfo import ZoneInfo

import altair as alt
import pandas as pd

from dashboard.charts.theme import ChartTheme, with_text_color
from dashboard.charts.time_axis import hour_axis, time_tooltip

KINDS = ["Person seen", "Motion", "Sound", "Event", "Went offline", "Came online"]
"""From top to bottom."""


def camera_events_chart(events: pd.DataFrame, zone: ZoneInfo, theme: ChartTheme) -> alt.Chart:
    """Draw a tick for each event, one line per kind; ``events`` has kind and start_time (UTC)."""
    chart = (
        alt.Chart(events[["kind", "start_time"]])
        .mark_tick(thickness=2, height=18)
        .encode(
            x=hour_axis("start_time", zone),
            y=alt.Y("kind:N", title=None, sort=KINDS),
            color=alt.Color("kind:N", legend=None, scale=alt.Scale(domain=KINDS)),
            tooltip=[
                alt.Tooltip("kind:N", title="Event"),
                time_tooltip("start_time", "Time", zone),
            ],
        )
        .properties(height=alt.Step(26))
    )
    return with_text_color(chart, theme)
