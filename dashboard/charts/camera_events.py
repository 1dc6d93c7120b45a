"""One camera's events as marks on a line of time."""

from zoneinfo import ZoneInfo

import altair as alt
import pandas as pd

from dashboard.charts.theme import hours_across, legible, moment_tip

ORDER = ["Person seen", "Motion", "Sound", "Event", "Went offline", "Came online"]


def events_chart(events: pd.DataFrame, zone: ZoneInfo) -> alt.Chart:
    """Draw a line for each kind of event; ``events`` has what, moment, until (UTC)."""
    chart = (
        alt.Chart(events[["what", "moment"]])
        .mark_tick(thickness=2, height=18)
        .encode(
            x=hours_across("moment", zone),
            y=alt.Y("what:N", title=None, sort=ORDER),
            color=alt.Color("what:N", legend=None, scale=alt.Scale(domain=ORDER)),
            tooltip=[alt.Tooltip("what:N", title="What"), moment_tip("moment", "At", zone)],
        )
        .properties(height=alt.Step(26))
    )
    return legible(chart)
