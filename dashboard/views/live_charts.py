"""The charts of the last minutes on the page Live."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

import pandas as pd
import streamlit as st

from contract.glossary import meaning
from contract.queries import BATCHED_FROM_NEST_LOGS, REAL_TIME_QUERIES, Query
from dashboard.charts.chart_template import ChartHeight
from dashboard.charts.timeline import TimelineLook, TimelineMarks, timeline, value_scale
from dashboard.data.live_view import LiveView
from dashboard.views.live_events import live_marks
from dashboard.views.live_query import QUERY_TITLES
from dashboard.widgets.viewer import viewer_chart_theme

HEIGHT = 210
_SHORTEST_RATE = timedelta(seconds=4)
"""A rate over less time than this would jump up and down."""

_MIN_SPAN = timedelta(minutes=1)
_HOW_RATES_ARE_MEASURED = (
    "The archive commits about once a minute while few messages come, and more often while many "
    "do; the counts commit every few seconds. The rate of a query is the mean from one commit to "
    "another, over a minute or two. A line ends where nothing is known."
)
_ON_A_LOG_SCALE = (
    " From 10 up, each line of the grid is ten times the one below it: the peak is so high, such "
    "as that of the history which is read at the start, that beside it most values would be a flat "
    "line."
)

Points = Sequence[tuple[datetime, str, float]]
"""Time (UTC), series and value."""


class _Chart(NamedTuple):
    title: str
    unit: str
    series: Sequence[str]
    """In the order of their colours."""
    points: Points
    help: str


def live_charts(view: LiveView, zone: ZoneInfo, height: ChartHeight = "content") -> None:
    """Show latency, throughput, batch duration and lag over the last minutes.

    If asked, each chart is as high as the place that it stands in.
    """
    durations = duration_points(view)
    charts = [
        _Chart(
            "Latency, seconds",
            "Seconds",
            ("p50", "p90"),
            latency_points(view),
            meaning("freshness"),
        ),
        _Chart(
            "Messages per second",
            "Per second",
            ("in", "counted", "archived"),
            throughput_points(view),
            _HOW_RATES_ARE_MEASURED,
        ),
        _Chart(
            "Batch duration, seconds",
            "Seconds",
            _with_others(QUERY_TITLES.values(), durations),
            durations,
            meaning("micro-batch"),
        ),
        _Chart(
            "Lag, messages",
            "Messages",
            [QUERY_TITLES[query] for query in BATCHED_FROM_NEST_LOGS],
            lag_points(view),
            meaning("lag"),
        ),
    ]
    span = shared_span(view, [each.points for each in charts])
    marks = live_marks(view, *span)
    for row in (charts[:2], charts[2:]):
        for column, chart in zip(st.columns(2, gap="medium"), row, strict=True):
            with column:
                line_chart(chart, marks, span, zone, height)


def _with_others(titles: Iterable[str], points: Points) -> list[str]:
    """Return the titles, and after them what else the points are of."""
    known = list(titles)
    return known + sorted({series for _, series, _ in points} - set(known))


def shared_span(view: LiveView, points: Sequence[Points]) -> tuple[datetime, datetime]:
    """Return the first time of all charts, and the time of the newest sample (UTC)."""
    now = view.samples[-1].time if view.samples else datetime.now(UTC)
    first = min((time for each in points for time, *_ in each), default=now)
    return min(first, now - _MIN_SPAN), now


def latency_points(view: LiveView) -> Points:
    """Return the p50 and p90 latency in seconds at each batch's commit."""
    return [
        point
        for latency in view.latencies
        for point in (
            (latency.committed_at, "p50", latency.p50),
            (latency.committed_at, "p90", latency.p90),
        )
    ]


def throughput_points(view: LiveView) -> Points:
    """Return messages in, counted and archived per second, where that is known."""
    by_series = {
        "in": view.input_rates(_SHORTEST_RATE),
        "counted": view.query_rates(Query.STATS, _SHORTEST_RATE),
        "archived": view.query_rates(Query.ARCHIVE, _SHORTEST_RATE),
    }
    return [
        (time, series, rate)
        for series, points in by_series.items()
        for time, rate in points
        if rate is not None
    ]


def duration_points(view: LiveView) -> Points:
    """Return the duration in seconds of each query's batches; in real time they last minutes."""
    return [
        (
            batch.committed_at,
            QUERY_TITLES.get(batch.progress.query, batch.progress.query),
            batch.progress.batch_duration_ms / 1000,
        )
        for batch in view.batches
        if batch.progress.query not in REAL_TIME_QUERIES
    ]


def lag_points(view: LiveView) -> Points:
    """Return the lag of each query in messages."""
    return [
        (sample.time, title, float(max(0, sample.messages - sample.committed[name])))
        for sample in view.samples
        for name, title in QUERY_TITLES.items()
        if name in sample.committed
    ]


def line_chart(
    chart: _Chart,
    marks: TimelineMarks,
    span: tuple[datetime, datetime],
    zone: ZoneInfo,
    height: ChartHeight,
) -> None:
    """Draw the points as lines, with what happened behind them; say so if there are none yet."""
    frame = pd.DataFrame(chart.points, columns=["time", "series", "value"])
    scale = value_scale(frame, span)
    title, meaning_of_scale = (
        (f"{chart.title}, on a log scale", _ON_A_LOG_SCALE) if scale == "log" else (chart.title, "")
    )
    st.header(title, anchor=False, help=chart.help + meaning_of_scale)
    if frame.empty:
        st.caption("No data yet.")
        return
    look = TimelineLook(zone, viewer_chart_theme(), tuple(chart.series), scale, chart.unit, HEIGHT)
    lines = timeline(frame, marks, span, look)
    alt = f"{title}, in the last minutes"
    st.vega_lite_chart(lines, key=chart.title, height=height, alt=alt)
