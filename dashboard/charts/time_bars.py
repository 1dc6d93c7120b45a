"""Sightings by hour as bars, the part that is in the report set off."""

from zoneinfo import ZoneInfo

import altair as alt
import pandas as pd

from dashboard.charts.theme import hours_across, legible, moment_tip

IN_REPORT = "in the report"
OTHER = "not in the report"


def hours_chart(hours: pd.DataFrame, zone: ZoneInfo, height: int) -> alt.Chart:
    """Draw the sightings of each bucket of time.

    ``hours`` has from, to (UTC), in_report and count.
    """
    parts = hours.sort_values(["from", "in_report"], ascending=[True, False])
    parts["part"] = parts["in_report"].map({True: IN_REPORT, False: OTHER})
    parts["top"] = parts.groupby("from")["count"].cumsum()  # Vega stacks no bars with two ends
    parts["bottom"] = parts["top"] - parts["count"]
    chart = (
        alt.Chart(parts)
        .mark_bar(binSpacing=1)
        .encode(
            x=hours_across("from", zone),
            x2="to:T",
            y=alt.Y("bottom:Q", title=None, axis=alt.Axis(format="~s", tickCount=5)),
            y2="top:Q",
            color=alt.Color(
                "part:N",
                scale=alt.Scale(domain=[IN_REPORT, OTHER]),
                legend=alt.Legend(title=None, orient="top"),
            ),
            tooltip=[
                moment_tip("from", "From", zone),
                alt.Tooltip("part:N", title="Which"),
                alt.Tooltip("count:Q", title="Sightings", format=","),
            ],
        )
        .properties(height=height)
    )
    return legible(chart)
