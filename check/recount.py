"""Read nest-logs once, chunk by chunk, and compare the lake with what each record must become."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from pathlib import Path

from kafka import KafkaConsumer, TopicPartition
from kafka.consumer.fetcher import ConsumerRecord

from check.chunk_rows import rows_by_chunk
from check.chunk_size import records_per_chunk
from check.column_types import names_with_wrong_types
from check.dirt import DirtCounts, dirt_kind
from check.findings import TableFindings
from check.forgotten import ForgottenIds
from check.positioned_table import PositionedTable
from check.positions import OffsetRanges, PositionSet, chunks, is_expired
from check.rows import Rows, rows_by_position
from check.rules.columns import ARCHIVE_COLUMNS, QUARANTINE_COLUMNS, index_of
from check.rules.expected_record import Row, expected_record, sighting_of
from check.rules.instants import record_timestamp
from check.sightings import Sightings, outcome_of
from check.table_comparison import TableComparison
from contract.kafka.bounded_read import read_range
from contract.topics import NEST_LOGS

_TIMESTAMP = index_of("timestamp", ARCHIVE_COLUMNS)

CHUNK_RECORDS = 8_000
"""How many records, with their rows, are in memory at a time; fewer where they are large."""

OnRows = Callable[[Rows], None]
"""Is called with all rows of the archive, a part at a time, before they are compared."""

OnProgress = Callable[[int, int, int], None]
"""Is called with the number of records compared so far, of all records, and of values compared."""


@dataclass
class Recount:
    """Compares archive and quarantine with the records of nest-logs, and collects the sightings.

    ``archive_offsets``, ``stats_offsets`` and ``sightings_offsets`` are, by partition, the offsets
    up to which these queries have committed. ``clock_skew`` and ``lateness`` are in
    microseconds.
    """

    clock_skew: int
    lateness: int
    archive_offsets: Mapping[int, int]
    stats_offsets: Mapping[int, int]
    sightings_offsets: Mapping[int, int]
    sightings: Sightings
    forgotten: ForgottenIds | None = None
    archive: TableComparison = field(
        default_factory=lambda: TableComparison(ARCHIVE_COLUMNS, "device_id")
    )
    quarantine: TableComparison = field(
        default_factory=lambda: TableComparison(QUARANTINE_COLUMNS, "reason")
    )
    dirt: DirtCounts = field(default_factory=DirtCounts)
    records: int = 0

    def add_record(
        self, record: ConsumerRecord, archived: Sequence[Row], quarantined: Sequence[Row]
    ) -> None:
        """Compare the rows that the two tables have of one record with those it must become."""
        self.records += 1
        position = (record.partition, record.offset)
        timestamp = record_timestamp(record.timestamp)
        expected = expected_record(record.value, timestamp, self.clock_skew)
        archive_rows, quarantine_rows = expected.archive_rows, expected.quarantine_rows
        is_archived = record.offset < self.archive_offsets.get(record.partition, 0)
        if self.forgotten is not None:
            archive_rows, quarantine_rows = _without_forgotten(
                self.forgotten, record, archive_rows, quarantine_rows, quarantined
            )
        self.archive.compare_record(position, archive_rows, archived, is_committed=is_archived)
        self.quarantine.compare_record(
            position, quarantine_rows, quarantined, is_committed=is_archived
        )
        kind = dirt_kind(record.headers) if is_archived and record.headers else None
        is_whole = (archive_rows, quarantine_rows) == expected[:2]
        if kind is not None and is_whole:  # what is forgotten of dirt is rightly in no table
            self.dirt.add(kind, archive_rows, archived, quarantined)
        is_counted = record.offset < self.stats_offsets.get(record.partition, 0)
        is_streamed = record.offset < self.sightings_offsets.get(record.partition, 0)
        if timestamp is None:
            return
        for device_id, start in expected.sightings:
            outcome = outcome_of(timestamp, start, self.clock_skew, self.lateness)
            self.sightings.add(device_id, start, outcome, is_counted, is_streamed)

    def add_expired(self, row: Row) -> None:
        """Take the sighting of an archive row whose record retention has removed."""
        sighting, timestamp = sighting_of(row), row[_TIMESTAMP]
        if sighting is not None and type(timestamp) is int:
            device_id, start = sighting
            outcome = outcome_of(timestamp, start, self.clock_skew, self.lateness)
            self.sightings.add_expired(device_id, start, outcome)


@dataclass(frozen=True)
class LakeTables:
    """The two tables that the records of nest-logs become rows of; None where there is none."""

    camera: PositionedTable | None
    quarantine: PositionedTable | None
    on_archive_rows: OnRows
    """Is called with the rows of ``camera``."""


def recount_topic(
    recount: Recount,
    consumer: KafkaConsumer,
    bounds: OffsetRanges,
    tables: LakeTables,
    *,
    folder: Path,
    on_progress: OnProgress,
) -> None:
    """Compare all records of nest-logs within the bounds with the two tables.

    Temporary files are in ``folder``.
    """
    total = sum(end - start for start, end in bounds.values())
    files = [table.files for table in (tables.camera, tables.quarantine) if table]
    all_ranges = list(chunks(bounds, records_per_chunk(bounds, files, CHUNK_RECORDS)))

    def rows(table: PositionedTable | None, comparison: TableComparison) -> Iterator[Rows]:
        if table is None:
            return repeat({}, len(all_ranges))
        of_chunks = rows_by_chunk(table, bounds, all_ranges, folder)
        return (rows_by_position(of_chunk, comparison.columns) for of_chunk in of_chunks)

    for ranges, archived, quarantined in zip(
        all_ranges,
        rows(tables.camera, recount.archive),
        rows(tables.quarantine, recount.quarantine),
        strict=True,
    ):
        tables.on_archive_rows(archived)
        for record in read_records(consumer, ranges):
            position = (record.partition, record.offset)
            recount.add_record(record, archived.pop(position, []), quarantined.pop(position, []))
        if archived or quarantined:  # rows without a record, or retention has just removed it
            remaining = without_removed(consumer, bounds)
            recount.archive.add_unexpected(_without_expired(archived, remaining))
            recount.quarantine.add_unexpected(_without_expired(quarantined, remaining))
        recount.sightings.flush()
        on_progress(recount.records, total, recount.archive.values + recount.quarantine.values)


def _without_forgotten(
    forgotten: ForgottenIds,
    record: ConsumerRecord,
    archive_rows: list[Row],
    quarantine_rows: list[Row],
    quarantined: Sequence[Row],
) -> tuple[list[Row], list[Row]]:
    """Return the rows that a record must become if forgotten homes are left out."""
    if forgotten.has_key(record.key):
        return [], []
    archive_rows = forgotten.without_cameras(archive_rows)
    if not quarantine_rows:
        return archive_rows, []
    # Where the id is in what is hidden of the value, the row may be there: it mentions nobody.
    is_mentioned = forgotten.is_mentioned((record.value or b"").decode("utf-8", "replace"))
    is_harmless = quarantined and not any(map(forgotten.is_mentioned_in_row, quarantined))
    return archive_rows, [] if is_mentioned and not is_harmless else quarantine_rows


def without_removed(consumer: KafkaConsumer, bounds: OffsetRanges) -> OffsetRanges:
    """Return the bounds without the records that retention has removed meanwhile."""
    partitions = {number: TopicPartition(NEST_LOGS.name, number) for number in bounds}
    beginnings = consumer.beginning_offsets(list(partitions.values()))
    return {
        number: (max(start, min(beginnings[partitions[number]], end)), end)
        for number, (start, end) in bounds.items()
    }


def compare_rows_outside(
    table: PositionedTable | None,
    comparison: TableComparison,
    bounds: OffsetRanges,
    on_expired: Callable[[Row], None] | None = None,
    on_rows: OnRows | None = None,
) -> TableFindings:
    """Count the rows of records that nest-logs never had as unexpected; return a table's findings.

    All records have been compared before. Rows of records that retention has removed are not
    judged; ``on_expired`` is called with each. ``on_rows`` is called with all rows.
    """
    expired_rows, expired_records = 0, PositionSet()
    for batch in table.rows_outside(bounds) if table else ():
        rows = rows_by_position(batch, comparison.columns)
        if on_rows:
            on_rows(rows)
        for position in [each for each in rows if is_expired(each, bounds)]:
            of_record = rows.pop(position)
            expired_records.add(position)
            expired_rows += len(of_record)
            if on_expired:
                for row in of_record:
                    on_expired(row)
        comparison.add_unexpected(rows)
    names = names_with_wrong_types(table.schema, comparison.columns) if table else None
    return TableFindings(names, comparison, expired_rows, len(expired_records))


def _without_expired(rows: Rows, bounds: OffsetRanges) -> Rows:
    return {position: rows[position] for position in rows if not is_expired(position, bounds)}


def read_records(consumer: KafkaConsumer, ranges: OffsetRanges) -> Iterator[ConsumerRecord]:
    """Yield the records of nest-logs in the ranges."""
    start = {TopicPartition(NEST_LOGS.name, number): start for number, (start, _) in ranges.items()}
    end = {TopicPartition(NEST_LOGS.name, number): end for number, (_, end) in ranges.items()}
    return read_range(consumer, start, end)
