"""Counts of past hours are recounted from the archive, and the topic is corrected."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from check import run_check
from contract.errors import UserError
from contract.kafka.record_deletion import delete_all_records
from contract.progress import QueryProgress
from contract.settings import Settings
from contract.stats import StatsKey, encode_key
from contract.topics import CAMERA_STATS, NEST_LOGS, PIPELINE_PROGRESS
from pipeline.commands.backfill import (
    ComparedHours,
    CountDifference,
    apply_differences,
    compare_hours,
    require_closed_hours,
    require_correctable,
    require_no_lower_count,
    wait_for_archive,
)
from pipeline.commands.complete_archive import complete_archive
from pipeline.lake.snapshots import forget_snapshots
from tests.fixtures.kafka import append
from tests.pipeline.queries.commit_files import commits_of, tear
from tests.pipeline.queries.runs import MIDNIGHT, Send, new_settings, run_to_end, send
from tests.pipeline.queries.shared_runs import SharedRun, shared_run
from tests.sample.progress import progress, send_messages, send_progress

pytestmark = [pytest.mark.spark, pytest.mark.kafka]


def hour(number: int) -> datetime:
    return MIDNIGHT + timedelta(hours=number)


def key(zip_code: str, number: int) -> StatsKey:
    return StatsKey(zip_code, hour(number), hour(number + 1))


def write_counts(settings: Settings, counts: dict[StatsKey, int | None]) -> None:
    records = (
        (encode_key(each), None if count is None else str(count).encode())
        for each, count in counts.items()
    )
    append(settings.bootstrap_servers, CAMERA_STATS.name, *records)


def test_wrong_missing_and_false_counts_of_closed_hours_are_corrected(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    with new_settings(bootstrap_servers) as settings:
        # One batch to count, one that moves the watermark to 6:00, one that takes it up.
        for part in ([(0, 10), (1, 70), (2, 80)], [(0, 480)], [(0, 481)]):
            sends = [Send(camera, minute, minute) for camera, minute in part]
            send(bootstrap_servers, [(one.value(), one.sent) for one in sends])
            run_to_end(spark, settings)
        require_closed_hours(settings, hour(0), hour(6))
        assert compare_hours(spark, settings, hour(0), hour(6)) == ComparedHours(3, [])
        write_counts(settings, {key("94304", 0): 7, key("01002", 1): None, key("10001", 2): 3})

        compared = compare_hours(spark, settings, hour(0), hour(6))

        assert compared.counts == 4
        assert compared.differences == [
            CountDifference(key("01002", 1), None, 1),
            CountDifference(key("10001", 2), 3, None),
            CountDifference(key("94304", 0), 7, 1),
        ]
        assert compare_hours(spark, settings, hour(3), hour(6)) == ComparedHours(0, [])
        apply_differences(settings, compared.differences)
        assert compare_hours(spark, settings, hour(0), hour(6)) == ComparedHours(3, [])
        send(bootstrap_servers, [(Send(3, 482, 482).value(), 482)])
        run_to_end(spark, settings)
        assert run_check(settings).holds

        for start, end, message in (
            (hour(3), hour(2), "empty or lies backwards"),
            (hour(3), hour(3), "empty or lies backwards"),
            (hour(1) + timedelta(minutes=30), hour(2), "01:30:00Z is not a whole hour"),
            (hour(5), hour(7), "from 2026-11-20T06:00:00Z on are still open"),
        ):
            with pytest.raises(UserError, match=message):
                require_closed_hours(settings, start, end)


def test_a_count_is_not_lowered_while_messages_are_gone_that_the_archive_may_lack(
    fresh_topics: str,
) -> None:
    settings = Settings(bootstrap_servers=fresh_topics)
    higher = CountDifference(key("01002", 1), None, 1)
    lower = [CountDifference(key("94304", 0), 7, 1), CountDifference(key("10001", 2), 3, None)]
    send(fresh_topics, [(Send(0, 0, 0).value(), 0)] * 8)
    require_no_lower_count(settings, [higher, *lower])
    delete_all_records(fresh_topics, NEST_LOGS)
    require_no_lower_count(settings, [higher])
    with pytest.raises(UserError, match="for 2 counts, and nest-logs has lost 8 messages"):
        require_no_lower_count(settings, [higher, *lower])


def test_all_hours_are_open_until_the_pipeline_has_a_watermark(fresh_topics: str) -> None:
    settings = Settings(bootstrap_servers=fresh_topics)
    with pytest.raises(UserError, match="All hours are still open"):
        require_closed_hours(settings, hour(0), hour(1))
    of_first_batch = QueryProgress(
        "stats", "running", "2026-11-20T00:00:00Z", watermark="1970-01-01T00:00:00.000Z"
    )
    append(fresh_topics, PIPELINE_PROGRESS.name, of_first_batch.encode())
    with pytest.raises(UserError, match="All hours are still open"):
        require_closed_hours(settings, hour(0), hour(1))


def test_a_recount_waits_until_the_archive_has_what_is_counted(fresh_topics: str) -> None:
    settings = Settings(bootstrap_servers=fresh_topics)
    send_messages(fresh_topics, *range(10))
    send_progress(fresh_topics, progress("stats", 10), progress("archive", 9))
    with pytest.raises(UserError, match="The archive has not written yet what stats has counted"):
        wait_for_archive(settings, timedelta())
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(wait_for_archive, settings, timedelta(minutes=1))
        with pytest.raises(TimeoutError):
            waiting.result(timeout=2)
        send_progress(fresh_topics, progress("archive", 10))
        waiting.result(60)


def count_two_batches(spark: SparkSession, settings: Settings) -> None:
    records = [(Send(0, minute, minute).value(), minute) for minute in (10, 20)]
    send(settings.bootstrap_servers, records, key=b"home")
    run_to_end(spark, settings.model_copy(update={"max_offsets_per_trigger": 1}))


two_batches = shared_run(count_two_batches)


@pytest.fixture
def counted(two_batches: SharedRun) -> Settings:
    """A run that has counted and archived two batches, of a message each."""
    return two_batches.copy()


def with_other_locations(settings: Settings) -> Settings:
    other = Path(settings.device_locations).with_name("other.csv")
    other.write_text("device_id,zip_code\ncam0,10001\n")
    return settings.model_copy(update={"device_locations": str(other)})


def with_older_archive(settings: Settings) -> Settings:
    """Put the table back as it was before the newest batch."""
    newest = max(Path(f"{settings.lake}/camera/_delta_log").glob("*.json"))
    for file in newest.parent.glob(f"*{newest.stem}.*"):
        file.unlink()
    return settings


def with_torn_archive(settings: Settings) -> Settings:
    tear(commits_of(settings)[-1])
    return settings


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (with_other_locations, "another table than NEST_DEVICE_LOCATIONS"),
        (
            lambda settings: settings.model_copy(update={"lateness": timedelta(minutes=30)}),
            "another NEST_LATENESS",
        ),
        (
            lambda settings: settings.model_copy(update={"clock_skew": timedelta(0)}),
            "another NEST_CLOCK_SKEW",
        ),
        (
            lambda settings: settings.model_copy(
                update={"checkpoints": f"{settings.checkpoints}/elsewhere"}
            ),
            "no checkpoint .*elsewhere/stats",
        ),
        (
            lambda settings: settings.model_copy(update={"lake": f"{settings.lake}/elsewhere"}),
            "camera in NEST_LAKE=.*elsewhere is gone",
        ),
        (with_torn_archive, r"(?s)log of the table .*camera is damaged.*nest repair archive"),
        (with_older_archive, r"lacks what .* up to 0, .* has 1.*nest repair archive"),
    ],
)
def test_a_recount_by_other_rules_or_from_another_archive_is_not_applied(
    spark: SparkSession, counted: Settings, changed: Callable[[Settings], Settings], message: str
) -> None:
    require_correctable(spark, counted)
    other = changed(counted)
    forget_snapshots(spark)
    with pytest.raises(UserError, match=message):
        require_correctable(spark, other)


def test_what_a_repair_has_completed_may_be_recounted(
    spark: SparkSession, counted: Settings
) -> None:
    with_older_archive(counted)
    forget_snapshots(spark)
    complete_archive(spark, counted)
    require_correctable(spark, counted)
