"""Walk nest-logs once, piece by piece, and hold the lake against what each record must be there."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from kafka import KafkaConsumer, TopicPartition
from kafka.consumer.fetcher import ConsumerRecord

from check.difference import Tally
from check.dirt import Dirt, kind_of
from check.expected_record import Judge, Row
from check.fields import Kind
from check.raw import Raw
from check.rows import ARCHIVE, QUARANTINE, Position, rows_by_position
from check.sightings import Fate, Sightings
from check.snapshot import Ranges, Snapshot
from contract.bounded_read import read_range
from contract.topics import NEST_LOGS

PIECE = 8_000
"""Records that are in memory at a time, with their rows."""

Rows = Mapping[Position, list[Row]]
OnProgress = Callable[[int, int], None]


@dataclass
class Recount:
    """Compares archive and quarantine with the topic and hands its sightings over.

    ``archived`` and ``counted`` are, by partition, the offsets up to which the two queries have
    committed; ``lateness`` and ``clock_skew`` are in microseconds.
    """

    judge: Judge
    lateness: int
    archived: Mapping[int, int]
    counted: Mapping[int, int]
    sightings: Sightings
    archive: Tally = field(default_factory=lambda: Tally(ARCHIVE))
    quarantine: Tally = field(default_factory=lambda: Tally(QUARANTINE))
    dirt: Dirt = field(default_factory=Dirt)
    records: int = 0

    def take(self, record: ConsumerRecord, archive: Rows, quarantine: Rows) -> None:
        """Compare what the lake holds of one record with what it must hold."""
        self.records += 1
        at = (record.partition, record.offset)
        timestamp = record.timestamp * 1000
        rows, seen, reasons = self.judge(record.value, timestamp)
        complete = record.offset < self.archived.get(record.partition, 0)
        self.archive.compare(at, rows, archive.get(at, []), complete)
        raw = None if record.value is None or not reasons else Raw(record.value)
        wrong = [(timestamp, reason, detail, raw) for reason, detail in reasons.items()]
        self.quarantine.compare(at, wrong, quarantine.get(at, []), complete)
        if complete and record.headers and (kind := kind_of(record.headers)) is not None:
            self.dirt.take(kind, rows, archive.get(at, []), quarantine.get(at, []))
        committed = record.offset < self.counted.get(record.partition, 0)
        for device_id, start in seen:
            self.sightings.add(device_id, start, self._fate(timestamp, start), committed)

    def _fate(self, timestamp: int, start: int) -> Fate:
        if timestamp < start - self.judge.clock_skew:
            return Fate.FUTURE
        return Fate.COUNTED if timestamp <= start + self.lateness else Fate.TOO_LATE


def recount(
    consumer: KafkaConsumer,
    bounds: Ranges,
    tables: tuple[Snapshot | None, Snapshot | None],
    to: Recount,
    on_progress: OnProgress,
) -> None:
    """Compare all records of the topic within the bounds with the archive and quarantine."""
    total = sum(end - start for start, end in bounds.values())
    camera, quarantine = tables
    for ranges in pieces(bounds, PIECE):
        archived = _rows(camera, ranges, ARCHIVE)
        rejected = _rows(quarantine, ranges, QUARANTINE)
        for record in _records(consumer, ranges):
            to.take(record, archived, rejected)
            at = (record.partition, record.offset)
            archived.pop(at, None)
            rejected.pop(at, None)
        _false(to.archive, archived)
        _false(to.quarantine, rejected)
        to.sightings.flush()
        on_progress(to.records, total)


def beyond(table: Snapshot | None, tally: Tally, bounds: Ranges) -> int:
    """Report the rows of records that the topic does not hold.

    Returns how many more there are of records that the topic no longer holds: these are not judged.
    """
    aged = 0
    for batch in table.outside(bounds) if table else ():
        rows = rows_by_position(batch, tally.columns)
        old = [at for at in rows if _is_aged(at, bounds)]
        aged += sum(len(rows.pop(at)) for at in old)
        _false(tally, rows)
    return aged


def pieces(bounds: Ranges, size: int) -> Iterator[Ranges]:
    """Cut the topic into pieces of at most about ``size`` records.

    All partitions advance in step, since a batch of the archive took from all of them.
    """
    total = sum(end - start for start, end in bounds.values())
    count = -(-total // size)
    for i in range(count):
        ranges = {
            number: (start + (end - start) * i // count, start + (end - start) * (i + 1) // count)
            for number, (start, end) in bounds.items()
        }
        yield {number: (start, end) for number, (start, end) in ranges.items() if start < end}


def _records(consumer: KafkaConsumer, ranges: Ranges) -> Iterator[ConsumerRecord]:
    start = {TopicPartition(NEST_LOGS.name, number): start for number, (start, _) in ranges.items()}
    end = {TopicPartition(NEST_LOGS.name, number): end for number, (_, end) in ranges.items()}
    return read_range(consumer, start, end)


def _rows(
    table: Snapshot | None, ranges: Ranges, columns: dict[str, Kind]
) -> dict[Position, list[Row]]:
    return rows_by_position(table.piece(ranges), columns) if table else defaultdict(list)


def _false(tally: Tally, rows: Rows) -> None:
    for at, found in rows.items():
        tally.compare(at, [], found, complete=False)


def _is_aged(at: Position, bounds: Ranges) -> bool:
    number, offset = at
    return number in bounds and offset is not None and 0 <= offset < bounds[number][0]
