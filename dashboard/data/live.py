"""How the stream is doing: what comes in, what is taken in, and how fresh the counts are."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from kafka import KafkaConsumer, TopicPartition

from contract.connections import open_consumer, partitions_of
from contract.progress import ProgressLog, QueryProgress
from contract.queries import ARCHIVE, STATS
from contract.topics import CAMERA_STATS, NEST_LOGS
from dashboard.data.freshness import Batch as Reports
from dashboard.data.freshness import Freshness, ages_of, freshness_of

QUERIES = {STATS: "Counts", ARCHIVE: "Archive"}
"""The queries by name, and what they make."""
KEPT = timedelta(minutes=10)
"""How far back the charts reach."""
RATE_OVER = timedelta(seconds=30)
"""What a rate is the mean of: the archive takes messages in every ten seconds."""
_BACK = 600
"""How many progress records are read back at first."""
_FIRST_FRESHNESS = 15
"""How many of the batches before the first look are asked how fresh they were."""


class Sample(NamedTuple):
    """How far everything had come at a moment; numbers of records since the topics began."""

    moment: datetime
    arrived: int
    done: dict[str, int]
    """By query, the messages taken in and committed."""
    written: int
    """Records of nest-camera-stats."""


class Batch(NamedTuple):
    """A micro-batch that has been committed."""

    progress: QueryProgress
    committed: datetime
    """When it was committed, UTC."""


@dataclass(frozen=True)
class LiveView:
    """What is known of the stream as of one refresh."""

    latest: dict[str, QueryProgress] = field(default_factory=dict)
    """The newest word of each query."""
    spoke: dict[str, datetime] = field(default_factory=dict)
    """When that was, UTC."""
    ends: dict[int, int] = field(default_factory=dict)
    """The end of nest-logs by partition."""
    samples: tuple[Sample, ...] = ()
    batches: tuple[Batch, ...] = ()
    freshness: tuple[Freshness, ...] = ()
    dropped: dict[str, int] = field(default_factory=dict)
    """Rows dropped as late in the batches that were seen, by query."""

    def behind(self, query: str) -> int:
        """Return how many messages in Kafka a query has still to take in."""
        progress = self.latest.get(query)
        done = progress.end_offsets if progress else {}
        return sum(max(0, end - done.get(number, 0)) for number, end in self.ends.items())

    def silent_for(self, query: str, now: datetime) -> timedelta | None:
        """Return since when a query that says it runs says nothing though messages wait, if long.

        A long batch looks the same as a pipeline that was killed: nobody could announce that.
        """
        progress = self.latest.get(query)
        if progress is None or progress.state != "running" or not self.behind(query):
            return None
        silence = now - self.spoke[query]
        usual = timedelta(milliseconds=5 * progress.batch_duration_ms)
        return silence if silence > max(timedelta(seconds=45), usual) else None

    def rate(self, what: str) -> float | None:
        """Return messages a second, of late: ``arrived``, ``written`` or a query's name.

        None before there is something to compare with.
        """
        told = [(each.moment, _of(each, what)) for each in self.samples if _tells(each, what)]
        if not told:
            return None
        end, last = told[-1]
        begin, first = next(each for each in told if end - each[0] <= RATE_OVER)
        seconds = (end - begin).total_seconds()
        return (last - first) / seconds if seconds >= 1 else None

    def newest_freshness(self) -> Freshness | None:
        """Return how fresh the last minute's reports were when they were in the counts."""
        return self.freshness[-1] if self.freshness else None


def _tells(sample: Sample, what: str) -> bool:
    return what in sample.done if what in (STATS, ARCHIVE) else True


def _of(sample: Sample, what: str) -> int:
    return int(sample.done[what] if what in (STATS, ARCHIVE) else getattr(sample, what))


def read_live(bootstrap_servers: str) -> Iterator[LiveView]:
    """Yield how the stream is doing as of now each time; UserError when Kafka does not answer."""
    with open_consumer(bootstrap_servers) as consumer:
        watch = _Watch(consumer)
        while True:
            yield watch.look()


class _Watch:
    """Reads on from where the last look ended."""

    def __init__(self, consumer: KafkaConsumer) -> None:
        self._consumer = consumer
        self._progress = ProgressLog(_BACK)
        self._spoke: dict[str, datetime] = {}
        self._samples: deque[Sample] = deque()
        self._batches: deque[Batch] = deque()
        self._reports: deque[Reports] = deque()
        self._dropped: dict[str, int] = {}

    def look(self) -> LiveView:
        ends = self._consumer.end_offsets(partitions_of(self._consumer, NEST_LOGS.name))
        written = self._consumer.end_offsets(partitions_of(self._consumer, CAMERA_STATS.name))
        for before, batch in self._new_batches()[-_FIRST_FRESHNESS:]:
            self._note_ages(before, batch)
        now = datetime.now(UTC)
        done = {query: sum(p.end_offsets.values()) for query, p in self._progress.latest.items()}
        self._samples.append(Sample(now, sum(ends.values()), done, sum(written.values())))
        self._forget(now - KEPT)
        return LiveView(
            latest=dict(self._progress.latest),
            spoke=dict(self._spoke),
            ends={tp.partition: end for tp, end in ends.items()},
            samples=tuple(self._samples),
            batches=tuple(self._batches),
            freshness=tuple(freshness_of(self._reports)),
            dropped=dict(self._dropped),
        )

    def _new_batches(self) -> list[tuple[QueryProgress, Batch]]:
        """Take in what is new in the progress topic; return the new batches of the counts.

        Each comes with the progress before it.
        """
        found = []
        for progress, written_at, before in self._progress.refresh(self._consumer):
            self._spoke[progress.query] = written_at
            if before is None or progress.end_offsets == before.end_offsets:
                continue  # a change of the query's state, or nothing to compare with
            batch = Batch(progress, progress.committed_at)
            self._batches.append(batch)
            dropped = self._dropped.get(progress.query, 0)
            self._dropped[progress.query] = dropped + progress.rows_dropped_by_watermark
            if progress.query == STATS:
                found.append((before, batch))
        return found

    def _note_ages(self, before: QueryProgress, batch: Batch) -> None:
        ranges = {
            TopicPartition(NEST_LOGS.name, number): (before.end_offsets.get(number, 0), end)
            for number, end in batch.progress.end_offsets.items()
        }
        ages = ages_of(self._consumer, ranges, batch.committed)
        if ages:
            self._reports.append(Reports(batch.committed, ages))

    def _forget(self, oldest: datetime) -> None:
        while self._samples and self._samples[0].moment < oldest:
            self._samples.popleft()
        while self._batches and self._batches[0].committed < oldest:
            self._batches.popleft()
        while self._reports and self._reports[0].committed < oldest:
            self._reports.popleft()
