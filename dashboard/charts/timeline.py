"""Lines over the last minutes."""

from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, Literal, NamedTuple
from zoneinfo import ZoneInfo

import altair as alt
import pandas as pd

from dashboard.charts.bands import DRILL_COLOR, bands
from dashboard.charts.chart_template import VegaLiteChart, fill_template, to_template
from dashboard.charts.event_marks import alert_marks, event_lines
from dashboard.charts.number_axis import VALUE_LABEL
from dashboard.charts.theme import ChartTheme, with_readable_text
from dashboard.charts.time_axis import time_axis, time_span_data, time_span_layer, time_tooltip

GAP = timedelta(seconds=45)
"""A line goes on over a time without values that is no longer than this."""
_USUAL_STEPS = 3
"""Or no longer than so many of the usual steps of its series: some report only now and then."""
_SECONDS_SHOWN_UP_TO = timedelta(minutes=4)
"""The axis shows seconds for a span up to this."""
_VALUE_AXIS_WIDTH = 40
"""The same for all charts, so that the same time is at the same place in each."""
_FLATTENED_BY = 20
"""How many times as high as most values a peak is beside which they are a flat line."""
_MOST = 0.9
"""The quantile up to which values are most of them."""

ValueScale = Literal["zeros", "linear", "log"]


_SCALES = {
    # Vega makes no scale of values that are all zero.
    "zeros": alt.Scale(domain=[0, 1]),
    "linear": alt.Scale(zero=True, nice=True),
    # Up to 1 nearly linear, so that it has a zero.
    "log": alt.Scale(type="symlog", constant=1, zero=True),
}
_TICKS: dict[ValueScale, dict[str, Any]] = {
    "zeros": {"tickCount": 4},
    "linear": {"tickCount": 4},
    "log": {"values": [0, *(10**power for power in range(1, 10))], "labelOverlap": "greedy"},
}


class TimelineMarks(NamedTuple):
    """What happened in the time of a chart, each with its name; times are in UTC."""

    drills: pd.DataFrame
    """start, end and name: bands with their names on them."""
    events: pd.DataFrame
    """time and name: lines with their names along them."""
    alerts: pd.DataFrame
    """time and name: small marks at the bottom."""


def value_scale(points: pd.DataFrame, span: tuple[datetime, datetime]) -> ValueScale:
    """Return the scale on which most values of the newer half of the ``span`` can be read.

    A peak before it, such as a day's history that is read at the start, or a short one in it can be
    a thousand times as high: then the scale is logarithmic.
    """
    first, last = span
    newer = points.loc[points["time"] > first + (last - first) / 2, "value"]
    highest, most = points["value"].max(), newer.astype(float).quantile(_MOST)
    if not highest > 0:
        return "zeros"
    return "log" if highest > _FLATTENED_BY * most > 0 else "linear"


class TimelineLook(NamedTuple):
    """What a chart looks like, whatever its data."""

    zone: ZoneInfo
    theme: ChartTheme
    series: tuple[str, ...]
    """All of them in the order of their colours, so that each keeps its own."""
    scale: ValueScale
    """That of :func:`value_scale`."""
    unit: str
    height: int
    """Pixels."""


def timeline(
    points: pd.DataFrame,
    marks: TimelineMarks,
    span: tuple[datetime, datetime],
    look: TimelineLook,
) -> VegaLiteChart:
    """Draw a line per series; ``points`` has time (UTC), series and value.

    A line ends where nothing is known for a while. The marks are behind the lines. The time axis
    goes from one end of the ``span`` to the other, so that charts can be compared.
    """
    first, last = span
    kept = {name: rows for name, rows in marks._asdict().items() if not rows.empty}
    label_format = "'%H:%M'" if last - first > _SECONDS_SHOWN_UP_TO else "'%H:%M:%S'"
    description = _template(look, frozenset(kept), label_format)
    return fill_template(description, points=with_runs(points), span=time_span_data(span), **kept)


@lru_cache(maxsize=64)
def _template(look: TimelineLook, marks: frozenset[str], label_format: str) -> str:
    """Return the chart with those of the ``marks`` that there are, by their names."""
    zone, theme = look.zone, look.theme

    def axis(field: str) -> alt.X:
        return time_axis(field, zone, label_format, tick_count=4)

    lines = (
        alt.Chart(alt.NamedData("points"))
        .mark_line(point=alt.OverlayMarkDef(size=12))
        .encode(
            x=axis("time"),
            y=alt.Y(
                "value:Q",
                title=None,
                axis=alt.Axis(
                    minExtent=_VALUE_AXIS_WIDTH,
                    maxExtent=_VALUE_AXIS_WIDTH,
                    labelBaseline="middle",
                    labelExpr=VALUE_LABEL,
                    labelFlush=False,
                    **_TICKS[look.scale],
                ),
                scale=_SCALES[look.scale],
            ),
            color=alt.Color(
                "series:N",
                scale=alt.Scale(domain=list(look.series)),
                legend=alt.Legend(title=None, orient="top", symbolType="stroke"),
            ),
            detail="run:N",
            tooltip=[
                time_tooltip("time", "Time", zone, "%H:%M:%S"),
                alt.Tooltip("series:N", title="Series"),
                alt.Tooltip("value:Q", title=look.unit, format=",.3~r"),
            ],
        )
    )
    layers = [time_span_layer(axis("time"))]
    if "drills" in marks:
        layers += bands("drills", axis("start"), zone, theme, title="Drill", color=DRILL_COLOR)
    if "events" in marks:
        layers += event_lines("events", axis("time"), zone, theme)
    if "alerts" in marks:
        layers.append(alert_marks("alerts", axis("time"), zone))
    chart = alt.layer(*layers, lines).properties(height=look.height)
    return to_template(with_readable_text(chart, theme))


def with_runs(points: pd.DataFrame) -> pd.DataFrame:
    """Return the points, oldest first, with the number of their run in the column ``run``.

    A run of a series ends where its next value comes later than ``GAP``, and later than its values
    usually do.
    """
    ordered = points.sort_values("time", kind="stable")
    steps = ordered.groupby("series", sort=False)["time"].diff()
    usual = steps.groupby(ordered["series"]).transform("median")
    is_first = (steps > GAP) & (steps > usual * _USUAL_STEPS)
    return ordered.assign(run=is_first.groupby(ordered["series"]).cumsum())
