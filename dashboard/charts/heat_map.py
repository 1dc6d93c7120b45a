"""A heat map of sightings by zip code and hour."""

from zoneinfo import ZoneInfo

import altair as alt
import pandas as pd

from dashboard.charts.theme import ChartTheme, with_text_color
from dashboard.charts.time_axis import hour_axis, time_tooltip

_ROW_HEIGHT = 20
"""Height of a zip code's row, pixels."""


def heat_map(cells: pd.DataFrame, zone: ZoneInfo, theme: ChartTheme) -> alt.Chart:
    """Draw a cell per zip code and time bucket; zip codes with the most sightings come first.

    ``cells`` has zip_code, from, to (UTC) and count.
    """
    chart = (
        alt.Chart(cells)
        .mark_rect()
        .encode(
            x=hour_axis("from", zone),
            x2="to:T",
            y=alt.Y(
                "zip_code:N",
                title=None,
                sort=alt.EncodingSortField("count", op="sum", order="descending"),
            ),
            color=alt.Color(
                "count:Q",
                scale=alt.Scale(type="sqrt", range=list(theme.sequential_colors)),
                legend=alt.Legend(title="Sightings", orient="top", format=",d", tickCount=4),
            ),
            tooltip=[
                alt.Tooltip("zip_code:N", title="Zip code"),
                time_tooltip("from", "From", zone),
                alt.Tooltip("count:Q", title="Sightings", format=",d"),
            ],
        )
        .properties(height=alt.Step(_ROW_HEIGHT))
    )
    return with_text_color(chart, theme)
