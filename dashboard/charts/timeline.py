"""Lines over the last minutes."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import altair as alt
import pandas as pd

from dashboard.charts.theme import ChartTheme, with_text_color
from dashboard.charts.time_axis import time_axis, time_tooltip

_SECONDS_SHOWN_UP_TO = timedelta(minutes=4)
"""The axis shows seconds for a span up to this."""
_BAND_COLOR, _BAND_OPACITY = "#d97706", 0.18
_SCALE = alt.Scale(zero=True, nice=True)
_SCALE_OF_ZEROS = alt.Scale(domain=[0, 1])
"""Vega makes no scale of values that are all zero."""


def timeline(
    points: pd.DataFrame,
    drills: pd.DataFrame,
    zone: ZoneInfo,
    theme: ChartTheme,
    *,
    unit: str,
    height: int,
) -> alt.LayerChart:
    """Draw a line per series, ``height`` in pixels; ``points`` has time (UTC), series and value.

    ``drills`` has start and end (UTC) and name: a band behind the lines, with the name on it.
    """
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
    )
    x = time_axis("start", zone, label_format, tick_count=4)
    layers = [chart] if drills.empty else [*_bands(drills, x, zone, theme), chart]
    return with_text_color(alt.layer(*layers).properties(height=height), theme)


def _bands(drills: pd.DataFrame, x: alt.X, zone: ZoneInfo, theme: ChartTheme) -> list[alt.Chart]:
    span = alt.Chart(drills).encode(
        x=x,
        tooltip=[
            alt.Tooltip("name:N", title="Drill"),
            time_tooltip("start", "From", zone, "%H:%M:%S"),
            time_tooltip("end", "To", zone, "%H:%M:%S"),
        ],
    )
    name = span.mark_text(align="left", baseline="top", dx=3, dy=2, color=theme.text_color)
    return [
        span.mark_rect(opacity=_BAND_OPACITY, color=_BAND_COLOR).encode(x2="end:T"),
        name.encode(y=alt.value(0), text="name:N"),
    ]
