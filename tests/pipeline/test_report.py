"""The batch report in Spark and the one in plain Python are the same."""

from datetime import UTC, datetime

import pytest
from pyspark.sql import SparkSession

from contract.counts import read_counts, report
from contract.settings import Settings
from contract.stats import StatsKey, encode_key
from contract.topics import CAMERA_STATS
from pipeline.report import above_threshold, latest_counts, read_stats_records
from tests.fixtures.kafka import append

pytestmark = [pytest.mark.spark, pytest.mark.kafka]


def key(zip_code: str, hour: int) -> bytes:
    day = datetime(2026, 11, 20, tzinfo=UTC)
    return encode_key(StatsKey(zip_code, day.replace(hour=hour), day.replace(hour=hour + 1)))


def test_the_report_in_spark_equals_the_report_without_spark(
    spark: SparkSession, fresh_topics: str
) -> None:
    records = [
        (key("94304", 10), b"999"),
        (key("94304", 10), b"1200"),
        (key("94304", 11), b"5000"),
        (key("94304", 11), b"1000"),  # superseded by a smaller count: not above the threshold
        (key("01002", 10), b"1300"),
        (key("01002", 10), None),  # removed
        (key("unknown", 10), b"1001"),
        (key("unknown", 10), b"many"),  # no count: ignored
        (b"no key", b"7000"),
    ]
    append(fresh_topics, CAMERA_STATS.name, *records)

    counts = read_counts(fresh_topics)
    folded = report(counts.by_key, 1000)
    assert [(row.zip_code, row.count) for row in folded] == [("94304", 1200), ("unknown", 1001)]
    assert len(counts.unreadable) == 2

    settings = Settings(bootstrap_servers=fresh_topics)
    counts_in_spark = read_stats_records(spark, settings).transform(latest_counts)
    rows = counts_in_spark.transform(above_threshold, 1000).collect()
    assert [
        (r.zip_code, r.window_start.astimezone(UTC), r.window_end.astimezone(UTC), r["count"])
        for r in rows
    ] == [(r.zip_code, r.window_start, r.window_end, r.count) for r in folded]
