"""Sightings by hour or day as stacked bars, above and below the report's threshold."""

from datetime import datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

import altair as alt
import pandas as pd

from dashboard.charts.chart_template import VegaLiteChart, fill_template, to_template
from dashboard.charts.number_axis import VALUE_LABEL
from dashboard.charts.theme import ChartTheme, with_readable_text
from dashboard.charts.time_axis import hour_axis, time_tooltip

IN_REPORT = "in the report"
NOT_IN_REPORT = "not in the report"


def time_bars(
    buckets: pd.DataFrame,
    span: tuple[datetime, datetime],
    zone: ZoneInfo,
    theme: ChartTheme,
    height: int,
) -> VegaLiteChart:
    """Draw a bar per time bucket, ``height`` in pixels.

    ``buckets`` has from, to (UTC), in_report and count. The time axis has the whole ``span``.
    """
    parts = buckets.sort_values(["from", "in_report"], ascending=[True, False])
    parts["part"] = parts["in_report"].map({True: IN_REPORT, False: NOT_IN_REPORT})
    # Stacked here, because Vega does not stack bars that have a start and an end in time.
    parts["top"] = parts.groupby("from")["count"].cumsum()
    parts["bottom"] = parts["top"] - parts["count"]
    return fill_template(_template(span, zone, theme, height), parts=parts)


@lru_cache(maxsize=8)
def _template(
    span: tuple[datetime, datetime], zone: ZoneInfo, theme: ChartTheme, height: int
) -> str:
    chart = (
        alt.Chart(alt.NamedData("parts"))
        .mark_bar(binSpacing=1)
        .encode(
            x=hour_axis("from", zone, span),
            x2="to:T",
            y=alt.Y("bottom:Q", title=None, axis=alt.Axis(labelExpr=VALUE_LABEL, tickCount=5)),
            y2="top:Q",
            color=alt.Color(
                "part:N",
                scale=alt.Scale(domain=[IN_REPORT, NOT_IN_REPORT]),
                legend=alt.Legend(title=None, orient="top"),
            ),
            tooltip=[
                time_tooltip("from", "From", zone),
                alt.Tooltip("part:N", title="Part"),
                alt.Tooltip("count:Q", title="Sightings", format=","),
            ],
        )
        .properties(height=height)
    )
    return to_template(with_readable_text(chart, theme))
