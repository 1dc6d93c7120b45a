"""What is read from Kafka: the ends of the topics, the queries' progress, the newest count."""

from collections import Counter
from collections.abc import Collection, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from kafka import KafkaConsumer, TopicPartition

from contract.instants import from_epoch_ms
from contract.kafka.bounded_read import read_range
from contract.kafka.cluster import Kafka
from contract.kafka.connections import ends_by_partition, open_consumer
from contract.kafka.log_offsets import lag_by_partition
from contract.progress import READ_BACK, ProgressLog, ProgressReport, QueryProgress
from contract.queries import BATCHED_FROM_NEST_LOGS, REAL_TIME_QUERIES, Query
from contract.topics import NEST_LOGS, PIPELINE_PROGRESS, TOPICS

Offsets = Mapping[int, int]
"""Offsets by partition."""


@dataclass(frozen=True)
class KafkaReadings:
    """What Kafka said at one moment."""

    end_offsets: Mapping[str, Offsets] = field(default_factory=dict)
    """The ends of the demo's topics that are there, by topic."""
    progress: Mapping[str, QueryProgress] = field(default_factory=dict)
    """The newest progress of each query that is watched."""
    reported_at: Mapping[str, datetime] = field(default_factory=dict)
    """When each query last reported its progress, UTC."""
    dropped_rows: Mapping[str, int] = field(default_factory=dict)
    """Rows that the watermark dropped in the batches seen since the first read, by query."""
    newest_counted_at: datetime | None = None
    """Timestamp of the newest record of nest-logs that is in the counts, UTC."""

    def lag(self, query: str) -> Offsets:
        """Return how many records a query has not committed yet; none for a reader of a table."""
        progress = self.progress.get(query)
        if progress is None or query not in (*BATCHED_FROM_NEST_LOGS, *REAL_TIME_QUERIES):
            return {}
        return lag_by_partition(progress.end_offsets, self.end_offsets.get(NEST_LOGS.name, {}))


def read_kafka(
    kafka: Kafka, queries: Collection[str] = tuple(Query)
) -> Generator[KafkaReadings, None, None]:
    """Yield each time what Kafka says, of ``queries`` only; UserError when it does not answer.

    The topic also has the last progress of a query that was switched off, for ever.
    """
    with open_consumer(kafka) as consumer:
        reader = _KafkaReader(consumer, queries)
        while True:
            yield reader.read()


class _KafkaReader:
    """Keeps what it has read, so that each read fetches only what is new."""

    def __init__(self, consumer: KafkaConsumer, queries: Collection[str]) -> None:
        self._consumer = consumer
        self._queries = queries
        self._log = ProgressLog(READ_BACK)
        self._dropped: Counter[str] = Counter()
        self._counted: Offsets = {}
        self._newest_counted_at: datetime | None = None

    def read(self) -> KafkaReadings:
        topics = self._consumer.topics()
        if PIPELINE_PROGRESS.name in topics:
            is_first = not self._log.latest
            for report in self._log.refresh(self._consumer):
                self._take(report, is_first=is_first)
        ends = dict(self._end_offsets(topics))  # after the progress, or a lag could be below zero
        if NEST_LOGS.name in ends:
            self._read_newest_counted(ends[NEST_LOGS.name])
        latest = {name: each for name, each in self._log.latest.items() if name in self._queries}
        return KafkaReadings(
            ends,
            latest,
            {query: self._log.reported_at[query] for query in latest},
            {query: self._dropped[query] for query in latest},
            self._newest_counted_at,
        )

    def _end_offsets(self, there: Collection[str]) -> Iterator[tuple[str, Offsets]]:
        for topic in TOPICS:
            if topic.name in there:
                yield topic.name, ends_by_partition(self._consumer, topic.name)

    def _take(self, report: ProgressReport, *, is_first: bool) -> None:
        if report.is_new_batch and not is_first:  # what was dropped before is no part of this count
            progress = report.progress
            self._dropped[progress.query] += progress.rows_dropped_by_watermark

    def _read_newest_counted(self, ends_now: Offsets) -> None:
        """Read the last counted record of each partition, if more is counted than before."""
        counted = self._log.committed_offsets(Query.STATS, ends_now)
        if counted == self._counted:
            return
        wanted = {TopicPartition(NEST_LOGS.name, n): end for n, end in counted.items()}
        first = self._consumer.beginning_offsets(list(wanted))
        ends = {tp: end for tp, end in wanted.items() if first[tp] < end}
        starts = {tp: end - 1 for tp, end in ends.items()}
        timestamps = [record.timestamp for record in read_range(self._consumer, starts, ends)]
        self._newest_counted_at = from_epoch_ms(max(timestamps)) if timestamps else None
        self._counted = counted
