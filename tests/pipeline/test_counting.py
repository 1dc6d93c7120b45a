"""From camera rows to counts: each step on rows that are in the test."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.testing import assertDataFrameEqual

from pipeline.counting import (
    hourly_counts,
    on_time,
    person_events,
    sightings,
    stats_records,
    with_zip_codes,
)

pytestmark = pytest.mark.spark

TEN = datetime(2026, 11, 20, 10, tzinfo=UTC)
EVENT = "STRUCT<has_person: BOOLEAN, start_time: TIMESTAMP>"
CAMERAS = f"device_id STRING, last_event {EVENT}, timestamp TIMESTAMP"
EVENTS = "device_id STRING, start_time TIMESTAMP, timestamp TIMESTAMP"


def minutes(number: float) -> timedelta:
    return timedelta(minutes=number)


def frame(spark: SparkSession, rows: list[tuple[Any, ...]], schema: str) -> DataFrame:
    return spark.createDataFrame(rows, schema)


def test_only_events_with_a_person_and_a_time_are_person_events(spark: SparkSession) -> None:
    cameras = frame(
        spark,
        [
            ("a", (True, TEN), TEN),
            ("b", (False, TEN), TEN),
            ("c", (None, TEN), TEN),
            ("d", (True, None), TEN),
            ("e", None, TEN),
        ],
        CAMERAS,
    )
    assertDataFrameEqual(person_events(cameras), frame(spark, [("a", TEN, TEN)], EVENTS))


def test_both_limits_of_on_time_are_inclusive(spark: SparkSession) -> None:
    microsecond = timedelta(microseconds=1)
    events = frame(
        spark,
        [
            ("too early", TEN, TEN - minutes(5) - microsecond),
            ("early", TEN, TEN - minutes(5)),
            ("now", TEN, TEN),
            ("late", TEN, TEN + minutes(60)),
            ("too late", TEN, TEN + minutes(60) + microsecond),
        ],
        EVENTS,
    )
    kept = on_time(events, lateness=minutes(60), clock_skew=minutes(5))
    assert sorted(row.device_id for row in kept.collect()) == ["early", "late", "now"]


def test_a_duplicate_send_is_one_sighting(spark: SparkSession) -> None:
    events = frame(
        spark,
        [
            ("a", TEN, TEN),
            ("a", TEN, TEN + minutes(1)),
            ("a", TEN + minutes(1), TEN),
            ("b", TEN, TEN),
        ],
        EVENTS,
    )
    expected = [("a", TEN), ("a", TEN + minutes(1)), ("b", TEN)]
    assertDataFrameEqual(
        sightings(events, minutes(120)),
        frame(spark, expected, "device_id STRING, start_time TIMESTAMP"),
    )


def test_a_sighting_without_a_known_zip_code_is_unknown(spark: SparkSession) -> None:
    seen = frame(spark, [("a",), ("b",), ("c",)], "device_id STRING")
    locations = frame(spark, [("a", "01002"), ("b", None)], "device_id STRING, zip_code STRING")
    assertDataFrameEqual(
        with_zip_codes(seen, locations),
        frame(
            spark,
            [("a", "01002"), ("b", "unknown"), ("c", "unknown")],
            "device_id STRING, zip_code STRING",
        ),
    )


def test_hours_are_counted_in_utc_by_when_the_event_began(spark: SparkSession) -> None:
    seen = frame(
        spark,
        [
            ("94304", TEN),
            ("94304", TEN + minutes(59.99)),
            ("94304", TEN + minutes(60)),
            ("01002", TEN),
        ],
        "zip_code STRING, start_time TIMESTAMP",
    )
    records = stats_records(hourly_counts(seen))
    assert {(row["key"], row["value"]) for row in records.collect()} == {
        (
            '{"zip_code":"94304","window":{"start":"2026-11-20T10:00:00.000Z","end":"2026-11-20T11:00:00.000Z"}}',
            "2",
        ),
        (
            '{"zip_code":"94304","window":{"start":"2026-11-20T11:00:00.000Z","end":"2026-11-20T12:00:00.000Z"}}',
            "1",
        ),
        (
            '{"zip_code":"01002","window":{"start":"2026-11-20T10:00:00.000Z","end":"2026-11-20T11:00:00.000Z"}}',
            "1",
        ),
    }
