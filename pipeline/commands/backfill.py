"""`nest backfill`: recount a past range of hours from the archive, and correct the topic.

The same transforms as in the stream count the archive's rows in batch. Only closed hours are taken:
those that the watermark has passed, whose counts the stream has let go of and will not write again.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from pyspark.sql import SparkSession

from contract.counts import read_counts
from contract.errors import UserError
from contract.instants import format_instant, whole_hour
from contract.kafka.connections import open_consumer
from contract.kafka.log_offsets import has_reached
from contract.kafka.sending import send_records
from contract.lake import CAMERA
from contract.polling import poll_until
from contract.progress import ProgressLog, newest_progress
from contract.quantities import format_quantity
from contract.queries import Query
from contract.settings import Settings
from contract.stats import StatsKey, encode_key
from contract.topics import CAMERA_STATS, NEST_LOGS
from pipeline.checkpoints.counting_rules import require_rules_of_counts
from pipeline.checkpoints.whole_archive import require_whole_archive
from pipeline.commands.archive_counts import counts_between
from pipeline.commands.messages_gone import count_messages_gone
from pipeline.lake.tables import table_exists
from pipeline.locations import read_locations

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, order=True)
class CountDifference:
    """A zip code and hour whose count in the topic is not the recount; None is no count."""

    key: StatsKey
    in_topic: int | None
    recounted: int | None


@dataclass(frozen=True)
class ComparedHours:
    """The counts of a range of hours: how many there are, in the topic or recounted."""

    counts: int
    differences: list[CountDifference]


def require_closed_hours(settings: Settings, start: datetime, end: datetime) -> None:
    """Raise UserError unless the range is whole hours, forward, and closed for the stream."""
    for moment in (start, end):
        if whole_hour(moment.astimezone(UTC)) != moment:
            raise UserError(
                f"{format_instant(moment, 'seconds')} is not a whole hour. Counts are by the hour: "
                "write for example 2026-11-20T10:00."
            )
    if start >= end:
        raise UserError(
            f"The range is empty or lies backwards: from {format_instant(start, 'seconds')} to "
            f"{format_instant(end, 'seconds')}. --to is the end of the last hour."
        )
    stats = newest_progress(settings.kafka).get(Query.STATS)
    closed = datetime.fromisoformat(stats.watermark) if stats and stats.watermark else None
    closed = closed and whole_hour(closed.astimezone(UTC))
    if closed is None or closed <= _EPOCH:  # Spark's watermark before it has seen an event
        raise UserError(
            "All hours are still open: the query stats has closed none yet. It closes an hour when "
            "it has read an event that began NEST_WATERMARK after the hour's end."
        )
    if end > closed:
        raise UserError(
            f"The hours from {format_instant(closed, 'seconds')} on are still open: the stream "
            "holds their counts and would write them again. Choose a range that ends before, or "
            "wait until NEST_WATERMARK has passed."
        )


def wait_for_archive(settings: Settings, timeout: timedelta) -> None:
    """Wait until the archive has written what stats has counted by now; before, it is behind.

    Raises UserError if it has not by then: a recount would be too low.
    """
    log = ProgressLog()
    with open_consumer(settings.kafka) as consumer:
        counted = log.committed_now(consumer, Query.STATS)

        def has_written() -> bool:
            return has_reached(log.committed_now(consumer, Query.ARCHIVE), counted)

        try:
            poll_until(has_written, "the archive", timeout.total_seconds(), interval=0.5)
        except TimeoutError:
            raise UserError(
                "The archive has not written yet what stats has counted, so a recount would be too "
                "low. If no pipeline runs, run `nest pipeline --once`. If one runs, its log says "
                "what the archive waits for."
            ) from None


def require_correctable(spark: SparkSession, settings: Settings) -> None:
    """Raise UserError if a recount would be by other rules than the counts, or might be too low."""
    locations = read_locations(spark, settings.device_locations)
    require_rules_of_counts(spark, settings, locations)
    require_whole_archive(spark, settings)


def compare_hours(
    spark: SparkSession, settings: Settings, start: datetime, end: datetime
) -> ComparedHours:
    """Recount the hours from ``start`` to ``end`` and compare them with nest-camera-stats."""
    if not table_exists(spark, settings, CAMERA):
        raise UserError(f"There is no table {CAMERA} in NEST_LAKE={settings.lake} yet.")
    recounted = counts_between(spark, settings, start, end)
    counts = read_counts(settings.kafka).by_key
    in_topic = {key: n for key, n in counts.items() if start <= key.start < end}
    keys = recounted.keys() | in_topic.keys()
    differences = sorted(
        CountDifference(key, in_topic.get(key), recounted.get(key))
        for key in keys
        if recounted.get(key) != in_topic.get(key)
    )
    return ComparedHours(len(keys), differences)


def require_no_lower_count(settings: Settings, differences: Iterable[CountDifference]) -> None:
    """Raise UserError if counts would become lower, or go, while messages are gone from nest-logs.

    Nobody can tell then whether they were wrong, or whether the archive lacks their messages: it
    may have been made anew after these were gone.
    """
    lower = [each for each in differences if (each.in_topic or 0) > (each.recounted or 0)]
    gone = count_messages_gone(settings) if lower else 0
    if gone:
        raise UserError(
            f"The archive gives fewer sightings than the topic for "
            f"{format_quantity(len(lower), 'count')}, and {NEST_LOGS.name} has lost "
            f"{format_quantity(gone, 'message')}: it may be the archive that lacks them, if it was "
            "made anew since. Nothing was changed. To write the recount all the same, add --force."
        )


def apply_differences(settings: Settings, differences: Iterable[CountDifference]) -> None:
    """Write the recounted values to nest-camera-stats; a key without one gets a tombstone."""
    records = [
        (encode_key(each.key), None if each.recounted is None else str(each.recounted).encode())
        for each in differences
    ]
    send_records(settings.kafka, CAMERA_STATS.name, records)
