"""The whole check, in the order that makes it right on a system that keeps running."""

import sqlite3
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from kafka import KafkaConsumer

from check.counts import CountTally, compare_counts
from check.difference import Examples, Tally
from check.document import MAX_DEPTH
from check.expected_record import Judge
from check.instants import micros
from check.locations import read_locations
from check.recount import OnProgress, Recount, beyond, recount
from check.rows import ARCHIVE, QUARANTINE
from check.sightings import Fate, Sightings
from check.snapshot import Ranges, Snapshot, open_snapshot
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
        _deep_documents(),
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
    tables = (
        open_snapshot(settings.lake, lake.CAMERA),
        open_snapshot(settings.lake, lake.QUARANTINE),
    )
    bounds = _bounds(consumer)

    _report_intake(verdict, committed, bounds, to_the_end)
    to = Recount(
        judge=Judge(micros(settings.clock_skew)),
        lateness=micros(settings.lateness),
        archived=committed.get(queries.ARCHIVE, {}),
        counted=committed.get(queries.STATS, {}),
        sightings=sightings,
    )
    recount(consumer, bounds, tables, to, on_progress)
    aged_rows = [
        beyond(table, tally, bounds)
        for table, tally in zip(tables, (to.archive, to.quarantine), strict=True)
    ]
    _locate(sightings, settings.device_locations)
    aged_out = any(start for start, _ in bounds.values())
    tally = compare_counts(sightings.counts(), counts.by_key, aged_out)

    verdict.some("records of nest-logs recounted", to.records)
    compared = to.archive.values + to.quarantine.values + tally.must + tally.there
    verdict.some("rows, values and counts compared", compared)
    _report_columns(verdict, "camera", tables[0], [*ARCHIVE, *_POSITION])
    _report_table(verdict, "archive", to.archive)
    _report_columns(verdict, "quarantine", tables[1], [*QUARANTINE, *_POSITION])
    _report_table(verdict, "quarantine", to.quarantine)
    _report_counts(verdict, tally, aged_out)
    _report_notes(verdict, sightings, counts)
    verdict.dirt = sorted(to.dirt.by_kind.values(), key=lambda tally: tally.kind)
    verdict.notes += [
        f"dirt injected, {dirt.kind}: {dirt.injected:,} records, {dirt.caught:,} of them "
        f"{dirt.becomes}"
        for dirt in verdict.dirt
    ]
    if aged_out:
        gone = sum(start for start, _ in bounds.values())
        verdict.notes.append(
            f"{gone:,} records are gone from nest-logs: {sum(aged_rows):,} rows of theirs are not "
            "judged, and counts are only judged not to be too low"
        )
    return verdict


@contextmanager
def _deep_documents() -> Iterator[None]:
    """Let functions call themselves as often as the deepest valid document is deep."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 20 * MAX_DEPTH))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def _bounds(consumer: KafkaConsumer) -> Ranges:
    partitions = partitions_of(consumer, NEST_LOGS.name)
    start, end = consumer.beginning_offsets(partitions), consumer.end_offsets(partitions)
    return {tp.partition: (start[tp], end[tp]) for tp in partitions}


def _locate(sightings: Sightings, uri: str) -> None:
    try:
        sightings.locate(read_locations(uri))
    except sqlite3.IntegrityError:
        raise UserError(f"The device locations {uri} name a device twice.") from None


def _report_intake(
    verdict: Verdict,
    committed: Mapping[str, Mapping[int, int]],
    bounds: Ranges,
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


def _report_table(verdict: Verdict, name: str, tally: Tally) -> None:
    verdict.between(f"{name} rows", tally.expected, tally.expected + tally.open, tally.found)
    verdict.none(f"{name} rows missing", tally.missing)
    verdict.none(f"{name} rows doubled", tally.doubled)
    verdict.none(f"{name} rows that nothing in nest-logs has", tally.false)
    verdict.none(f"{name} values that differ", tally.differing, f" of {tally.values:,}")


def _report_counts(verdict: Verdict, tally: CountTally, aged_out: bool) -> None:
    highest = max(tally.may, tally.there) if aged_out else tally.may
    verdict.between("counts (zip code and hour)", tally.must, highest, tally.there)
    verdict.none("counts missing", tally.missing)
    verdict.none("counts that differ", tally.differing)
    verdict.none("counts that no sighting has", tally.false)
    most = max(tally.second, tally.found) if aged_out else tally.second
    verdict.between("sightings counted", tally.first, most, tally.found)
    verdict.none("sightings dropped (watermark)", tally.dropped)


def _report_notes(verdict: Verdict, sightings: Sightings, counts: FoldedCounts) -> None:
    fates = sightings.by_fate()
    verdict.notes.append(
        f"distinct sightings: {fates[Fate.COUNTED]:,} on time "
        f"({sightings.unplaced():,} of them unplaced), {fates[Fate.TOO_LATE]:,} too late, "
        f"{fates[Fate.FUTURE]:,} from the future"
    )
    verdict.note("records of nest-camera-stats are no counts", counts.unreadable)
    verdict.note("records of nest-camera-stats remove a count", counts.tombstones)
