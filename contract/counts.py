"""The latest count per key of ``nest-camera-stats``, folded from the compacted topic."""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from kafka import KafkaConsumer, TopicPartition
from kafka.consumer.fetcher import ConsumerRecord

from contract.instants import format_instant, from_epoch_ms
from contract.kafka.cluster import Kafka
from contract.kafka.connections import open_consumer
from contract.kafka.topic_reader import TopicReader
from contract.stats import StatsKey, decode_count, decode_key
from contract.topics import CAMERA_STATS

MAX_UNREADABLE = 100
"""How many of the records that are no counts are kept to be shown."""


@dataclass
class Counts:
    """The counts as of the records folded so far.

    A compacted topic still holds superseded values until its cleaner has run, so a reader folds
    by key, the newest record winning; a null value (tombstone) removes its key.
    """

    by_key: dict[StatsKey, int] = field(default_factory=dict)
    unreadable_total: int = 0
    """How many of the records are no counts."""
    unreadable: deque[str] = field(default_factory=lambda: deque(maxlen=MAX_UNREADABLE))
    """The newest of them, each with its position and what is wrong."""
    updated: datetime | None = None
    """Timestamp of the newest record, UTC."""

    def __post_init__(self) -> None:
        self._reader = TopicReader(CAMERA_STATS.name)

    @property
    def next_offsets(self) -> Mapping[TopicPartition, int]:
        """Where the next refresh goes on."""
        return self._reader.next_offsets

    def fold(self, records: Iterable[ConsumerRecord]) -> None:
        """Take records in, in order of offset."""
        for record in records:
            try:
                key = decode_key(record.key)
                if record.value is None:
                    self.by_key.pop(key, None)
                else:
                    self.by_key[key] = decode_count(record.value)
            except ValueError as error:
                self.unreadable_total += 1
                self.unreadable.append(
                    f"partition {record.partition} offset {record.offset}: {error}"
                )
                continue
            moment = from_epoch_ms(record.timestamp)
            self.updated = max(self.updated or moment, moment)

    def _start_over(self) -> None:
        """Forget everything that was folded."""
        self.by_key.clear()
        self.unreadable_total = 0
        self.unreadable.clear()
        self.updated = None

    def refresh(self, consumer: KafkaConsumer) -> None:
        """Fold what the topic has got since the last refresh.

        A topic that was created again is folded from its start.
        """
        self.fold(self._reader.read_on(consumer, self._start_over))


def read_counts(kafka: Kafka) -> Counts:
    """Fold nest-camera-stats from its start to its end; UserError without broker or topic."""
    counts = Counts()
    with open_consumer(kafka) as consumer:
        counts.refresh(consumer)
    return counts


@dataclass(frozen=True)
class ReportRow:
    """A zip code and hour (UTC) with its count of people seen."""

    zip_code: str
    window_start: datetime
    window_end: datetime
    count: int

    def as_json(self) -> dict[str, str | int]:
        """Return the row as ``nest report --format json`` prints it."""
        return {
            "zip_code": self.zip_code,
            "window_start": format_instant(self.window_start, "seconds"),
            "window_end": format_instant(self.window_end, "seconds"),
            "count": self.count,
        }


def report(counts: Mapping[StatsKey, int], threshold: int) -> list[ReportRow]:
    """Return the zip codes and hours with more sightings than that, highest count first."""
    rows = [
        ReportRow(key.zip_code, key.start, key.end, count)
        for key, count in counts.items()
        if count > threshold
    ]
    return sorted(rows, key=lambda row: (-row.count, row.zip_code, row.window_start))
