"""Lines over time, with the drills as named bands behind them."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pandas as pd

from contract.drills import DrillMark
from dashboard.charts.theme import ChartTheme
from dashboard.charts.timeline import timeline
from dashboard.views.live_charts import drill_spans

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
THEME = ChartTheme("light", "#111111", ("#eeeeee", "#000000"))


def at(minute: int) -> datetime:
    return NOON + timedelta(minutes=minute)


def points() -> pd.DataFrame:
    rows = [(at(minute), "in", float(minute)) for minute in range(5)]
    return pd.DataFrame(rows, columns=["time", "series", "value"])


def marks(*drills: DrillMark) -> list[dict[str, object]]:
    """The layers of a chart with drills."""
    spans = drill_spans(drills, at(0), at(4))
    chart = timeline(points(), spans, ZoneInfo("UTC"), THEME, unit="s", height=200)
    layers: list[dict[str, object]] = chart.to_dict()["layer"]
    return layers


def test_without_drills_there_are_only_lines() -> None:
    (lines,) = marks()
    assert lines["mark"]["type"] == "line"  # type: ignore[index]


def test_a_drill_is_a_band_with_its_name_behind_the_lines() -> None:
    kinds = [layer["mark"]["type"] for layer in marks(DrillMark("kill-kafka", at(1), at(2)))]  # type: ignore[index]
    assert kinds == ["rect", "text", "line"]


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
