"""Read Kafka and the lake and recount, in the order that is right while the pipeline runs."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import partial

from kafka import KafkaConsumer

from check.count_comparison import compare_counts
from check.counting_rules import require_same_counting_rules
from check.findings import Findings, TableFindings
from check.forgotten import read_forgotten
from check.forgotten_sightings import add_forgotten_sightings, zip_codes_of_forgotten
from check.left_out_sightings import without_readable
from check.location_digest import location_digest
from check.locations import read_locations
from check.positioned_table import open_lake_table
from check.positions import OffsetRanges
from check.recount import (
    LakeTables,
    OnProgress,
    Recount,
    compare_rows_outside,
    read_records,
    recount_topic,
    without_removed,
)
from check.rules.document import deep_recursion
from check.rules.instants import micros
from check.scratch_folder import scratch_folder
from check.sightings import Sightings
from check.status_check import StatusCheck
from check.streamed_sightings import StreamedSightings
from check.topics import committed_positions, fold_counts
from contract import lake
from contract.errors import UserError
from contract.kafka.connections import open_consumer, partitions_of
from contract.progress import newest_progress
from contract.queries import Query
from contract.settings import Settings
from contract.topics import NEST_LOGS


def gather_findings(
    settings: Settings, on_progress: OnProgress, *, must_be_complete: bool
) -> Findings:
    """Read everything that the expectations are about.

    Raises UserError when Kafka, the lake or the device locations cannot be read, when the pipeline
    counts by other rules, and when the disk of temporary files is full.
    """
    with (
        deep_recursion(),
        open_consumer(settings.kafka) as consumer,
        scratch_folder() as folder,
        closing(Sightings(folder)) as sightings,
    ):
        _add_locations(sightings, settings.device_locations)
        # First what the queries have committed, then what they have written, then the topic's end.
        # So what is committed must have been written, and what was written must be in the topic.
        # camera_status is opened before camera, so that whatever it has is in camera.
        latest = newest_progress(settings.kafka)
        require_same_counting_rules(
            latest, settings, lambda: location_digest(sightings.locations())
        )
        committed, versions = committed_positions(latest)
        folded = fold_counts(consumer)
        streamed = StreamedSightings(sightings.connection)
        if settings.sightings:
            streamed.read(consumer)
        with closing(StatusCheck(settings.lake, versions, folder)) as status:
            status.read_alerts(consumer, must_be_complete=must_be_complete)
            lake_tables = LakeTables(
                open_lake_table(settings.lake, lake.CAMERA),
                open_lake_table(settings.lake, lake.QUARANTINE),
                on_archive_rows=status.add_archived,
            )
            bounds = _bounds(consumer)
            status.read_states(lake_tables.camera, must_be_complete=must_be_complete)
            recount = _new_recount(settings, committed, sightings)
            recount_topic(
                recount, consumer, bounds, lake_tables, folder=folder, on_progress=on_progress
            )
            # Retention may have removed records while the topic was read.
            bounds = without_removed(consumer, bounds)
            tables = _compare_rest(lake_tables, recount, bounds)
            status_findings = status.findings(recount.forgotten)
        sightings.flush()
        of_forgotten, may_be_too_high = _allow_forgotten_sightings(
            settings, recount, streamed, bounds
        )
        may_be_missing = partial(_without_readable_records, recount, consumer, bounds)
        return Findings(
            bounds=bounds,
            committed=committed,
            must_be_complete=must_be_complete,
            records=recount.records,
            lake=settings.lake,
            tables=tables,
            counts=compare_counts(sightings.hour_counts(), folded.by_key, may_be_too_high),
            streamed=streamed.compare(may_be_missing) if settings.sightings else None,
            unreadable_counts=folded.unreadable,
            removed_counts=folded.tombstones,
            outcomes=sightings.count_outcomes(),
            unplaced=sightings.count_unplaced(),
            dirt=recount.dirt.kinds(),
            status=status_findings,
            forgotten_ids=len(recount.forgotten.digests) if recount.forgotten else 0,
            has_unfinished_forget=bool(recount.forgotten and not recount.forgotten.is_removed),
            forgotten_sightings=of_forgotten,
        )


def _new_recount(
    settings: Settings, committed: Mapping[str, Mapping[int, int]], sightings: Sightings
) -> Recount:
    return Recount(
        clock_skew=micros(settings.clock_skew),
        lateness=micros(settings.lateness),
        archive_offsets=committed.get(Query.ARCHIVE, {}),
        stats_offsets=committed.get(Query.STATS, {}),
        sightings_offsets=committed.get(Query.SIGHTINGS, {}),
        sightings=sightings,
        forgotten=read_forgotten(settings.lake),
    )


def _compare_rest(
    tables: LakeTables, recount: Recount, bounds: OffsetRanges
) -> dict[str, TableFindings]:
    """Judge the rows that belong to no record of nest-logs; return the findings by table."""
    return {
        lake.CAMERA: compare_rows_outside(
            tables.camera, recount.archive, bounds, recount.add_expired, tables.on_archive_rows
        ),
        lake.QUARANTINE: compare_rows_outside(tables.quarantine, recount.quarantine, bounds),
    }


def _allow_forgotten_sightings(
    settings: Settings, recount: Recount, streamed: StreamedSightings, bounds: OffsetRanges
) -> tuple[int, frozenset[str]]:
    """Allow sightings of forgotten cameras where records are gone from nest-logs.

    Returns how many of them nest-sightings has; where that is off, the zip codes whose counts may
    have some.
    """
    sightings, forgotten = recount.sightings, recount.forgotten
    if not forgotten or not any(start for start, _ in bounds.values()):
        return 0, frozenset()
    if settings.sightings:
        return add_forgotten_sightings(sightings, streamed, forgotten), frozenset()
    return 0, zip_codes_of_forgotten(sightings.connection, forgotten)


def _without_readable_records(
    recount: Recount,
    consumer: KafkaConsumer,
    bounds: OffsetRanges,
    missing: set[tuple[str, int]],
) -> set[tuple[str, int]]:
    """Return the missing sightings that no streamed record has which Spark can read."""
    streamed_records = {
        number: (start, min(end, recount.sightings_offsets.get(number, 0)))
        for number, (start, end) in bounds.items()
    }
    return without_readable(
        missing,
        read_records(consumer, streamed_records),
        clock_skew=recount.clock_skew,
        lateness=recount.lateness,
    )


def _bounds(consumer: KafkaConsumer) -> OffsetRanges:
    partitions = partitions_of(consumer, NEST_LOGS.name)
    start, end = consumer.beginning_offsets(partitions), consumer.end_offsets(partitions)
    return {tp.partition: (start[tp], end[tp]) for tp in partitions}


def _add_locations(sightings: Sightings, uri: str) -> None:
    newest = ""

    def locations() -> Iterator[tuple[str, str]]:
        nonlocal newest
        for device_id, zip_code in read_locations(uri):
            newest = device_id
            yield device_id, zip_code

    try:
        sightings.add_locations(locations())
    except sqlite3.IntegrityError:
        raise UserError(
            f"NEST_DEVICE_LOCATIONS={uri} has the device_id {newest} more than once. "
            "List each device once."
        ) from None
