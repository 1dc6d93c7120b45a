"""The charts; their colours come from the theme, so that they hold in light and dark."""

from zoneinfo import ZoneInfo

import altair as alt
import pandas as pd
import streamlit as st

IN_REPORT = "in the report"
OTHER = "other zip codes"


def hours_chart(hours: pd.DataFrame, zone: ZoneInfo, height: int) -> alt.Chart:
    """Draw the sightings of each hour as a bar, the part that is in the report set off.

    ``hours`` has start, end (UTC), in_report and count. A browser draws times in its own zone,
    which is the viewer's; ``zone`` is UTC where that is not known.
    """
    parts = hours.sort_values(["start", "in_report"], ascending=[True, False])
    parts["part"] = parts["in_report"].map({True: IN_REPORT, False: OTHER})
    parts["top"] = parts.groupby("start")["count"].cumsum()  # Vega stacks no bars with two ends
    parts["bottom"] = parts["top"] - parts["count"]
    text = _text_color()
    chart: alt.Chart = (
        alt.Chart(parts)
        .mark_bar(binSpacing=1)
        .encode(
            x=_hours_across(zone),
            x2="end:T",
            y=alt.Y("bottom:Q", title=None, axis=alt.Axis(format="~s", tickCount=5)),
            y2="top:Q",
            color=alt.Color(
                "part:N",
                scale=alt.Scale(domain=[IN_REPORT, OTHER]),
                legend=alt.Legend(title=None, orient="top"),
            ),
            tooltip=[
                alt.Tooltip("start:T", title="Hour from", format="%a %e %b, %H:%M"),
                alt.Tooltip("part:N", title="Zip codes"),
                alt.Tooltip("count:Q", title="Sightings", format=","),
            ],
        )
        .properties(height=height)
        .configure_axis(labelColor=text)
        .configure_legend(labelColor=text)
    )
    return chart


def _hours_across(zone: ZoneInfo) -> alt.X:
    """Lay hours from left to right, with the day where one begins."""
    utc = zone.key == "UTC"
    write = "utcFormat" if utc else "timeFormat"
    midnight = f"{write}(datum.value, '%H:%M') == '00:00'"
    return alt.X(
        "start:T",
        scale=alt.Scale(type="utc" if utc else "time"),
        axis=alt.Axis(
            title=None,
            grid=False,
            labelOverlap=True,
            tickCount=8,
            labelExpr=f"{write}(datum.value, {midnight} ? '%a %e %b' : '%H:%M')",
        ),
        bandPosition=0,
    )


def _text_color() -> str:
    """Return the theme's colour of text, since the charts' own grey is too faint to be read."""
    kind = st.context.theme.type or "light"
    return str(st.get_option(f"theme.{kind}.textColor") or "gray")
