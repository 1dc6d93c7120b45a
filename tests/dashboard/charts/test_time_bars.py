"""Sightings by hour as stacked bars."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pandas as pd

from dashboard.charts.theme import ChartTheme
from dashboard.charts.time_bars import time_bars

LIGHT = ChartTheme("light", "black", ("white", "blue"))
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def test_a_bar_stands_on_the_one_below_it():
    hour = {"from": NOON, "to": NOON + timedelta(hours=1)}
    buckets = pd.DataFrame(
        [{**hour, "in_report": False, "count": 3}, {**hour, "in_report": True, "count": 10}]
    )
    span = hour["from"], hour["to"]
    chart = time_bars(buckets, span, ZoneInfo("UTC"), LIGHT, height=100)
    assert chart["encoding"]["x"]["scale"]["domain"] == [each.timestamp() * 1000 for each in span]
    assert chart["datasets"]["parts"][["part", "bottom", "top"]].to_numpy().tolist() == [
        ["in the report", 0, 10],
        ["not in the report", 10, 13],
    ]
