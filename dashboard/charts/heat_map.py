"""A heat map of zip code by hour."""

from zoneinfo import ZoneInfo

import altair as alt
import pandas as pd

from dashboard.charts.theme import hours_across, legible, moment_tip, sequential

LINE = 20
"""Height of a zip code's line, pixels."""


def heat_map(cells: pd.DataFrame, zone: ZoneInfo) -> alt.Chart:
    """Draw a cell for each zip code and bucket of time; the zip codes with the most come first.

    ``cells`` has zip_code, from, to (UTC) and count.
    """
    chart = (
        alt.Chart(cells)
        .mark_rect()
        .encode(
            x=hours_across("from", zone),
            x2="to:T",
            y=alt.Y(
                "zip_code:N",
                title=None,
                sort=alt.EncodingSortField("count", op="sum", order="descending"),
            ),
            color=alt.Color(
                "count:Q",
                scale=alt.Scale(type="sqrt", range=sequential()),
                legend=alt.Legend(title="Sightings", orient="top", format=",d", tickCount=4),
            ),
            tooltip=[
                alt.Tooltip("zip_code:N", title="Zip code"),
                moment_tip("from", "From", zone),
                alt.Tooltip("count:Q", title="Sightings", format=",d"),
            ],
        )
        .properties(height=alt.Step(LINE))
    )
    return legible(chart)
