"""Lines over the last minutes."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import altair as alt
import pandas as pd

from dashboard.charts.theme import legible, moment_tip, times_across

LONG = timedelta(minutes=4)
"""Below this, the axis tells seconds."""


_NOTHING = alt.Scale(domain=[0, 1])
"""Of values that are all zero Vega makes no scale."""


def timeline(points: pd.DataFrame, zone: ZoneInfo, unit: str, height: int) -> alt.Chart:
    """Draw a line for each thing; ``points`` has moment (UTC), what and value."""
    span = points["moment"].max() - points["moment"].min()
    form = "'%H:%M'" if span > LONG else "'%H:%M:%S'"
    chart = (
        alt.Chart(points)
        .mark_line(interpolate="monotone", point=alt.OverlayMarkDef(size=12))
        .encode(
            x=times_across("moment", zone, form, ticks=4),
            y=alt.Y(
                "value:Q",
                title=None,
                axis=alt.Axis(format="~s", tickCount=4),
                scale=alt.Scale(zero=True, nice=True) if points["value"].any() else _NOTHING,
            ),
            color=alt.Color(
                "what:N",
                legend=alt.Legend(title=None, orient="top", symbolType="stroke"),
                sort=None,
            ),
            tooltip=[
                moment_tip("moment", "At", zone, "%H:%M:%S"),
                alt.Tooltip("what:N", title="What"),
                alt.Tooltip("value:Q", title=unit, format=",.3~r"),
            ],
        )
        .properties(height=height)
    )
    return legible(chart)
