"""The whole check, in the order that makes it right on a system that keeps running."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from kafka import KafkaConsumer

from check.count_comparison import CountComparison, compare_counts
from check.examples import Examples
from check.locations import read_locations
from check.positions import OffsetRanges
from check.recount import OnProgress, Recount, compare_rows_outside, recount_topic
from check.rules.columns import ARCHIVE_COLUMNS, QUARANTINE_COLUMNS
from check.rules.document import deep_recursion
from check.rules.instants import micros
from check.sightings import Outcome, Sightings
from check.snapshot import Snapshot, open_snapshot
from check.table_comparison import TableComparison
from check.topics import FoldedCounts, committed_offsets, fold_counts
from check.verdict import Verdict
from contract import lake, queries
from contract.connections import open_consumer, partitions_of
from contract.errors import UserError
from contract.settings import Settings
from contract.topics import NEST_LOGS

_POSITION = ("partition", "offset")


def run_check(
    settings: Settings, on_progress: OnProgress | None = None, *, to_the_end: bool = False
) -> Verdict:
    """Recount nest-logs and compare every archive row, quarantined record and count with it.

    ``on_progress`` is told records done and records in all. With ``to_the_end`` the queries must
    have committed everything, as after a bounded run. Raises UserError when Kafka, the lake
    or the device locations cannot be read at all.
    """
    with (
        deep_recursion(),
        open_consumer(settings.bootstrap_servers) as consumer,
        TemporaryDirectory(prefix="nest-check-") as folder,
        closing(Sightings(Path(folder))) as sightings,
    ):
        on_progress = on_progress or (lambda done, total: None)
        return _check(settings, consumer, sightings, on_progress, to_the_end)


def _check(
    settings: Settings,
    consumer: KafkaConsumer,
    sightings: Sightings,
    on_progress: OnProgress,
    to_the_end: bool,
) -> Verdict:
    verdict = Verdict()
    # The order matters: what was committed first, then what came of it, then the topic's end.
    committed = committed_offsets(consumer)
    counts = fold_counts(consumer)
    camera = open_snapshot(settings.lake, lake.CAMERA)
    quarantine = open_snapshot(settings.lake, lake.QUARANTINE)
    bounds = _bounds(consumer)

    _report_intake(verdict, committed, bounds, to_the_end)
    recount = Recount(
        clock_skew=micros(settings.clock_skew),
        lateness=micros(settings.lateness),
        archived=committed.get(queries.ARCHIVE, {}),
        counted=committed.get(queries.STATS, {}),
        sightings=sightings,
    )
    recount_topic(recount, consumer, bounds, camera, quarantine, on_progress=on_progress)
    expired_rows = compare_rows_outside(camera, recount.archive, bounds)
    expired_rows += compare_rows_outside(quarantine, recount.quarantine, bounds)
    _locate(sightings, settings.device_locations)
    has_expired_records = any(start for start, _ in bounds.values())
    comparison = compare_counts(
        sightings.hour_counts(), counts.by_key, has_expired_records=has_expired_records
    )

    verdict.some("records of nest-logs recounted", recount.records)
    compared = recount.archive.values + recount.quarantine.values
    compared += comparison.required + comparison.found
    verdict.some("rows, values and counts compared", compared)
    _report_columns(verdict, "camera", camera, [*ARCHIVE_COLUMNS, *_POSITION])
    _report_table(verdict, "archive", recount.archive)
    _report_columns(verdict, "quarantine", quarantine, [*QUARANTINE_COLUMNS, *_POSITION])
    _report_table(verdict, "quarantine", recount.quarantine)
    _report_counts(verdict, comparison)
    _report_notes(verdict, sightings, counts)
    verdict.dirt = recount.dirt.kinds()
    verdict.notes += [
        f"dirt injected, {dirt.kind}: {dirt.injected:,} records, {dirt.caught:,} of them "
        f"{dirt.becomes}"
        for dirt in verdict.dirt
    ]
    if has_expired_records:
        gone = sum(start for start, _ in bounds.values())
        verdict.notes.append(
            f"{gone:,} records are gone from nest-logs: {expired_rows:,} rows of theirs are not "
            "judged, and counts are only judged not to be too low"
        )
    return verdict


def _bounds(consumer: KafkaConsumer) -> OffsetRanges:
    partitions = partitions_of(consumer, NEST_LOGS.name)
    start, end = consumer.beginning_offsets(partitions), consumer.end_offsets(partitions)
    return {tp.partition: (start[tp], end[tp]) for tp in partitions}


def _locate(sightings: Sightings, uri: str) -> None:
    try:
        sightings.add_locations(read_locations(uri))
    except sqlite3.IntegrityError:
        raise UserError(f"The device locations {uri} name a device twice.") from None


def _report_intake(
    verdict: Verdict,
    committed: Mapping[str, Mapping[int, int]],
    bounds: OffsetRanges,
    to_the_end: bool,
) -> None:
    """Say how much of the topic each query has committed; none, or more than all, is an error."""
    total = sum(end - start for start, end in bounds.values())
    for query in (queries.ARCHIVE, queries.STATS):
        offsets = committed.get(query, {})
        taken = sum(
            max(0, min(offsets.get(n, 0), end) - start) for n, (start, end) in bounds.items()
        )
        least = total if to_the_end else min(1, total)
        verdict.between(f"records committed by {query}", least, total, taken)
        ahead = Examples()
        for number, offset in sorted(offsets.items()):
            end = bounds.get(number, (0, 0))[1]
            if offset > end:
                ahead.add(f"partition {number} ends at {end}, {query} has committed {offset}")
        if ahead.count:
            verdict.none(f"offsets committed by {query} that nest-logs does not have", ahead)


def _report_columns(
    verdict: Verdict, name: str, table: Snapshot | None, expected: list[str]
) -> None:
    if table is None:
        verdict.equal(f"table {name}", "there", "missing")
    elif set(table.columns) == set(expected):
        verdict.equal(f"columns of {name}", f"{len(expected)}", f"{len(expected)}")
    else:
        lack = sorted(set(expected) - set(table.columns))
        more = sorted(set(table.columns) - set(expected))
        found = "; ".join(
            f"{word} {', '.join(names)}"
            for word, names in (("without", lack), ("with", more))
            if names
        )
        verdict.equal(f"columns of {name}", f"{len(expected)}", found)


def _report_table(verdict: Verdict, name: str, rows: TableComparison) -> None:
    verdict.between(f"{name} rows", rows.required, rows.required + rows.optional, rows.found)
    verdict.none(f"{name} rows missing", rows.missing)
    verdict.none(f"{name} rows doubled", rows.doubled)
    verdict.none(f"{name} rows that nothing in nest-logs has", rows.unexpected)
    verdict.none(f"{name} values that differ", rows.differing, f" of {rows.values:,}")


def _report_counts(verdict: Verdict, counts: CountComparison) -> None:
    verdict.between("counts (zip code and hour)", counts.required, counts.possible, counts.found)
    verdict.none("counts missing", counts.missing)
    verdict.none("counts that differ", counts.differing)
    verdict.none("counts that no sighting has", counts.unexpected)
    verdict.between(
        "sightings counted",
        counts.sightings_required,
        counts.sightings_possible,
        counts.sightings_found,
    )
    verdict.none("sightings dropped (watermark)", counts.dropped)


def _report_notes(verdict: Verdict, sightings: Sightings, counts: FoldedCounts) -> None:
    outcomes = sightings.count_outcomes()
    verdict.notes.append(
        f"distinct sightings: {outcomes[Outcome.COUNTED]:,} on time "
        f"({sightings.count_unplaced():,} of them unplaced), "
        f"{outcomes[Outcome.TOO_LATE]:,} too late, "
        f"{outcomes[Outcome.FUTURE]:,} from the future"
    )
    verdict.note("records of nest-camera-stats are no counts", counts.unreadable)
    verdict.note("records of nest-camera-stats remove a count", counts.tombstones)
