"""Lines over time, with the drills as named bands behind them."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pandas as pd
import pytest

from contract.drills import DrillMark
from dashboard.charts.chart_template import VegaLiteChart
from dashboard.charts.theme import ChartTheme
from dashboard.charts.timeline import (
    TimelineLook,
    TimelineMarks,
    ValueScale,
    timeline,
    value_scale,
    with_runs,
)
from dashboard.data.live_view import LiveView, OffsetSample
from dashboard.data.stream_events import StreamEvent
from dashboard.views.live_charts import shared_span
from dashboard.views.live_events import drill_spans

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
THEME = ChartTheme("light", "#111111", ("#eeeeee", "#000000"))


def at(minute: int) -> datetime:
    return NOON + timedelta(minutes=minute)


def points() -> pd.DataFrame:
    rows = [(at(minute), "in", float(minute)) for minute in range(5)]
    return pd.DataFrame(rows, columns=["time", "series", "value"])


def moments(*events: StreamEvent) -> pd.DataFrame:
    return pd.DataFrame(events, columns=["time", "name"])


def marks(
    *drills: DrillMark, events: Sequence[StreamEvent] = (), alerts: Sequence[StreamEvent] = ()
) -> list[dict[str, object]]:
    """The layers of a chart with what happened."""
    span = at(0), at(4)
    happened = TimelineMarks(drill_spans(drills, *span), moments(*events), moments(*alerts))
    layers: list[dict[str, object]] = draw(points(), happened, span, "linear")["layer"]
    return layers


def draw(
    frame: pd.DataFrame, happened: TimelineMarks, span: tuple[datetime, datetime], scale: ValueScale
) -> VegaLiteChart:
    look = TimelineLook(ZoneInfo("UTC"), THEME, ("in", "out"), scale, unit="s", height=200)
    return timeline(frame, happened, span, look)


def test_without_drills_there_are_only_lines_and_the_ends_of_the_time_axis() -> None:
    ends, lines = marks()
    assert ends["mark"] == {"type": "point", "opacity": 0, "tooltip": False, "aria": False}
    assert lines["mark"]["type"] == "line"


def test_a_line_ends_where_nothing_is_known() -> None:
    seconds = [0, 10, 20, 200, 210]
    rows = [(NOON + timedelta(seconds=each), "in", 1.0) for each in seconds]
    slow = [(NOON + timedelta(seconds=each), "Alerts", 1.0) for each in (0, 90, 180)]
    frame = with_runs(pd.DataFrame(rows + slow, columns=["time", "series", "value"]))
    runs = {series: part["run"].tolist() for series, part in frame.groupby("series")}
    assert runs == {"in": [0, 0, 0, 1, 1], "Alerts": [0, 0, 0]}


def test_all_charts_of_the_page_have_one_time_axis() -> None:
    samples = (OffsetSample(at(9), {0: 5}, {}, None),)
    span = shared_span(LiveView(samples=samples), [[(at(3), "in", 1.0)], [(at(1), "lag", 2.0)], []])
    assert span == (at(1), at(9))


def lag(*values: float) -> pd.DataFrame:
    rows = [(at(minute), "Counts", value) for minute, value in enumerate(values)]
    return pd.DataFrame(rows, columns=["time", "series", "value"])


@pytest.mark.parametrize(
    ("values", "scale"),
    [
        ((), "zeros"),
        ((0, 0, 0, 0, 0), "zeros"),
        ((0, 9, 0, 0, 3), "linear"),
        ((50, 50, 0, 3, 1), "linear"),
        ((61, 0, 0, 3, 1), "log"),
        ((0, 0, 0, 80_000, 3), "linear"),
        ((80_000, 0, 0, 0, 0), "linear"),
        ((3,) * 23 + (400,), "log"),
        ((3,) * 20 + (400,) * 4, "linear"),
    ],
)
def test_the_scale_is_logarithmic_where_a_peak_flattens_most_of_the_newer_half(
    values: tuple[float, ...], scale: ValueScale
) -> None:
    assert value_scale(lag(*values), (at(0), at(max(4, len(values) - 1)))) == scale


def test_a_log_scale_begins_at_zero_and_names_the_powers_of_ten() -> None:
    nothing = TimelineMarks(drill_spans((), at(0), at(4)), moments(), moments())
    *_, lines = draw(lag(80_000, 0, 3, 1), nothing, (at(0), at(4)), "log")["layer"]
    value = lines["encoding"]["y"]
    assert value["scale"] == {"type": "symlog", "constant": 1, "zero": True}
    assert value["axis"]["values"][:4] == [0, 10, 100, 1000]


def test_a_series_keeps_its_colour_whichever_begins() -> None:
    nothing = TimelineMarks(drill_spans((), at(0), at(4)), moments(), moments())
    *_, lines = draw(points(), nothing, (at(0), at(4)), "linear")["layer"]
    assert lines["encoding"]["color"]["scale"] == {"domain": ["in", "out"]}


def test_a_drill_is_a_band_with_its_name_behind_the_lines() -> None:
    kinds = [layer["mark"]["type"] for layer in marks(DrillMark("kill-kafka", at(1), at(2)))]
    assert kinds == ["point", "rect", "text", "line"]


def test_an_event_is_a_line_with_its_name_and_an_alert_a_small_mark() -> None:
    layers = marks(
        events=[StreamEvent(at(1), "pipeline restarted")],
        alerts=[StreamEvent(at(2), "Porch Camera went offline")],
    )
    assert [layer["mark"]["type"] for layer in layers] == ["point", "rule", "text", "point", "line"]


def test_a_band_ends_where_the_lines_end_and_others_are_left_out() -> None:
    spans = drill_spans(
        (
            DrillMark("before", at(-3), at(-2)),
            DrillMark("begun before", at(-1), at(1)),
            DrillMark("goes on", at(3)),
            DrillMark("after", at(5)),
        ),
        at(0),
        at(4),
    )
    assert spans.values.tolist() == [
        [at(0), at(1), "begun before"],
        [at(3), at(4), "goes on"],
    ]
