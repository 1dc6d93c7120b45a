"""Counts of past hours are recounted from the archive, and the topic is corrected."""

from datetime import datetime, timedelta

import pytest
from kafka import KafkaProducer
from pyspark.sql import SparkSession

from check import run_check
from contract.errors import UserError
from contract.settings import Settings
from contract.stats import StatsKey, encode_key
from contract.topics import CAMERA_STATS
from pipeline.commands.backfill import (
    CountDifference,
    apply_differences,
    find_differences,
    require_closed_hours,
)
from tests.pipeline.queries.runs import MIDNIGHT, Send, new_settings, run_to_end, send

pytestmark = [pytest.mark.spark, pytest.mark.kafka]


def hour(number: int) -> datetime:
    return MIDNIGHT + timedelta(hours=number)


def key(zip_code: str, number: int) -> StatsKey:
    return StatsKey(zip_code, hour(number), hour(number + 1))


def write_counts(settings: Settings, counts: dict[StatsKey, int | None]) -> None:
    producer = KafkaProducer(bootstrap_servers=settings.bootstrap_servers)
    for each, count in counts.items():
        value = None if count is None else str(count).encode()
        producer.send(CAMERA_STATS.name, key=encode_key(each), value=value)
    producer.close()


def test_wrong_missing_and_false_counts_of_closed_hours_are_corrected(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    with new_settings(bootstrap_servers) as run:
        # One batch to count, one that moves the watermark to 6:00, one that takes it up.
        for part in ([(0, 10), (1, 70), (2, 80)], [(0, 480)], [(0, 481)]):
            sends = [Send(camera, minute, minute) for camera, minute in part]
            send(bootstrap_servers, [(one.value(), one.sent) for one in sends])
            run_to_end(spark, run)
        require_closed_hours(run, hour(0), hour(6))
        assert find_differences(spark, run, hour(0), hour(6)) == []
        write_counts(run, {key("94304", 0): 7, key("01002", 1): None, key("10001", 2): 3})

        differences = find_differences(spark, run, hour(0), hour(6))

        assert differences == [
            CountDifference(key("01002", 1), None, 1),
            CountDifference(key("10001", 2), 3, None),
            CountDifference(key("94304", 0), 7, 1),
        ]
        assert find_differences(spark, run, hour(3), hour(6)) == []
        apply_differences(run, differences)
        assert find_differences(spark, run, hour(0), hour(6)) == []
        send(bootstrap_servers, [(Send(3, 482, 482).value(), 482)])
        run_to_end(spark, run)
        assert run_check(run).holds

        for start, end, message in (
            (hour(3), hour(2), "empty or lies backwards"),
            (hour(3), hour(3), "empty or lies backwards"),
            (hour(1) + timedelta(minutes=30), hour(2), "01:30:00Z is not a whole hour"),
            (hour(5), hour(7), "from 2026-11-20T06:00:00Z on are still open"),
        ):
            with pytest.raises(UserError, match=message):
                require_closed_hours(run, start, end)


def test_hours_of_a_pipeline_that_never_ran_are_open(fresh_topics: str) -> None:
    with pytest.raises(UserError, match="hours so far are still open"):
        require_closed_hours(Settings(bootstrap_servers=fresh_topics), hour(0), hour(1))
