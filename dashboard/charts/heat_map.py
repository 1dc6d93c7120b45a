"""A heat map of sightings by zip code and hour."""

from datetime import datetime
from zoneinfo import ZoneInfo

import altair as alt
import pandas as pd

from dashboard.charts.theme import ChartTheme, with_readable_text
from dashboard.charts.time_axis import hour_axis, time_tooltip

_ROW_HEIGHT = 20
"""Height of a zip code's row, pixels."""
_LABEL_WIDTH = 140
"""The most that the name of a place takes, pixels."""


def heat_map(
    cells: pd.DataFrame, span: tuple[datetime, datetime], zone: ZoneInfo, theme: ChartTheme
) -> alt.Chart:
    """Draw a cell per zip code and time bucket; zip codes with the most sightings come first.

    ``cells`` has place, from, to (UTC) and count. The time axis has the whole ``span``.
    """
    chart = (
        alt.Chart(cells)
        .mark_rect()
        .encode(
            x=hour_axis("from", zone, span),
            x2="to:T",
            y=alt.Y(
                "place:N",
                title=None,
                sort=alt.EncodingSortField("count", op="sum", order="descending"),
                axis=alt.Axis(labelLimit=_LABEL_WIDTH, labelOverlap=False),
            ),
            color=alt.Color(
                "count:Q",
                scale=alt.Scale(type="sqrt", range=list(theme.sequential_colors)),
                legend=alt.Legend(title="Sightings", orient="top", format=",d", tickCount=4),
            ),
            tooltip=[
                alt.Tooltip("place:N", title="Zip code"),
                time_tooltip("from", "From", zone),
                alt.Tooltip("count:Q", title="Sightings", format=",d"),
            ],
        )
        .properties(height=alt.Step(_ROW_HEIGHT))
    )
    return with_readable_text(chart, theme)
