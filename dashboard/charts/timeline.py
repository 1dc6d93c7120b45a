"""Lines over the last minutes."""

from zoneinfo import ZoneInfo

import altair as alt
import pandas as pd

from dashboard.charts.looks import legible, moment_tip, time_scale


def timeline(
    points: pd.DataFrame, zone: ZoneInfo, title: str, height: int, form: str = "~s"
) -> alt.Chart:
    """Draw a line for each thing; ``points`` has moment (UTC), what and value."""
    write = "utcFormat" if zone.key == "UTC" else "timeFormat"
    axis = alt.Axis(
        title=None,
        grid=False,
        labelOverlap=True,
        tickCount=5,
        labelExpr=f"{write}(datum.value, '%H:%M')",
    )
    chart = (
        alt.Chart(points)
        .mark_line(interpolate="monotone", point=alt.OverlayMarkDef(size=12))
        .encode(
            x=alt.X("moment:T", scale=time_scale(zone), axis=axis),
            y=alt.Y(
                "value:Q",
                title=title,
                axis=alt.Axis(format=form, tickCount=4, titleFontWeight="normal"),
                scale=alt.Scale(zero=True, nice=True),
            ),
            color=alt.Color("what:N", legend=alt.Legend(title=None, orient="top"), sort=None),
            strokeDash=alt.StrokeDash("what:N", legend=None, sort=None),
            tooltip=[
                moment_tip("moment", "At", zone, "%H:%M:%S"),
                alt.Tooltip("what:N", title="What"),
                alt.Tooltip("value:Q", title=title, format=",.3~r"),
            ],
        )
        .properties(height=height)
    )
    return legible(chart)
