"""Lines over the last minutes."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import altair as alt
import pandas as pd

from dashboard.charts.theme import ChartTheme, with_text_color
from dashboard.charts.time_axis import time_axis, time_tooltip

_SECONDS_SHOWN_UP_TO = timedelta(minutes=4)
"""The axis shows seconds for a span up to this."""
_SCALE = alt.Scale(zero=True, nice=True)
_SCALE_OF_ZEROS = alt.Scale(domain=[0, 1])
"""Vega makes no scale of values that are all zero."""


def timeline(
    points: pd.DataFrame, zone: ZoneInfo, theme: ChartTheme, unit: str, height: int
) -> alt.Chart:
    """Draw a line per series, ``height`` in pixels; ``points`` has time (UTC), series and value."""
    span = points["time"].max() - points["time"].min()
    label_format = "'%H:%M'" if span > _SECONDS_SHOWN_UP_TO else "'%H:%M:%S'"
    chart = (
        alt.Chart(points)
        .mark_line(interpolate="monotone", point=alt.OverlayMarkDef(size=12))
        .encode(
            x=time_axis("time", zone, label_format, tick_count=4),
            y=alt.Y(
                "value:Q",
                title=None,
                axis=alt.Axis(format="~s", tickCount=4),
                scale=_SCALE if points["value"].any() else _SCALE_OF_ZEROS,
            ),
            color=alt.Color(
                "series:N",
                legend=alt.Legend(title=None, orient="top", symbolType="stroke"),
                sort=None,
            ),
            tooltip=[
                time_tooltip("time", "Time", zone, "%H:%M:%S"),
                alt.Tooltip("series:N", title="Series"),
                alt.Tooltip("value:Q", title=unit, format=",.3~r"),
            ],
        )
        .properties(height=height)
    )
    return with_text_color(chart, theme)
