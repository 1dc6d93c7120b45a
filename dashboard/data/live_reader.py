"""Read the state of the stream from Kafka, each time from where the last read ended."""

from collections import deque
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from kafka import KafkaConsumer, TopicPartition

from contract.connections import open_consumer, partitions_of
from contract.progress import ProgressLog, QueryProgress
from contract.queries import STATS
from contract.topics import CAMERA_STATS, NEST_LOGS
from dashboard.data.freshness import BatchLatencies, rolling_percentiles, sample_latencies
from dashboard.data.latest_sightings import LatestSightings
from dashboard.data.live_view import CommittedBatch, LiveView, OffsetSample

HISTORY = timedelta(minutes=10)
"""How far back samples and batches are kept."""
_MAX_PROGRESS_RECORDS = 600
"""How many progress records the first read goes back."""
_MAX_SAMPLED_BATCHES = 15
"""How many new batches are sampled for their latency in one read."""


def read_live(bootstrap_servers: str) -> Iterator[LiveView]:
    """Yield the current state of the stream each time; UserError when Kafka does not answer."""
    with open_consumer(bootstrap_servers) as consumer:
        reader = _LiveReader(consumer)
        while True:
            yield reader.read()


class _LiveReader:
    """Keeps what it has read, so that each read fetches only what is new."""

    def __init__(self, consumer: KafkaConsumer) -> None:
        self._consumer = consumer
        self._progress = ProgressLog(_MAX_PROGRESS_RECORDS)
        self._last_update: dict[str, datetime] = {}
        self._samples: deque[OffsetSample] = deque()
        self._batches: deque[CommittedBatch] = deque()
        self._latencies: deque[BatchLatencies] = deque()
        self._dropped_rows: dict[str, int] = {}
        self._sightings = LatestSightings(consumer)

    def read(self) -> LiveView:
        end_offsets = self._end_offsets(NEST_LOGS.name)
        counts_written = sum(self._end_offsets(CAMERA_STATS.name).values())
        for previous, batch in self._read_progress()[-_MAX_SAMPLED_BATCHES:]:
            self._sample_latencies(previous, batch)
        now = datetime.now(UTC)
        progress = dict(self._progress.latest)
        committed = {
            query: sum(each.end_offsets.values())
            for query, each in progress.items()
            if not each.table
        }
        self._samples.append(
            OffsetSample(now, sum(end_offsets.values()), committed, counts_written)
        )
        self._drop_before(now - HISTORY)
        return LiveView(
            progress=progress,
            last_update=dict(self._last_update),
            end_offsets=end_offsets,
            samples=tuple(self._samples),
            batches=tuple(self._batches),
            latencies=tuple(rolling_percentiles(self._latencies)),
            drills=tuple(
                each
                for each in self._progress.drills.values()
                if (each.ended_at or now) >= now - HISTORY
            ),
            sightings=self._sightings.read(),
            dropped_rows=dict(self._dropped_rows),
        )

    def _end_offsets(self, topic: str) -> dict[int, int]:
        ends = self._consumer.end_offsets(partitions_of(self._consumer, topic))
        return {tp.partition: end for tp, end in ends.items()}

    def _read_progress(self) -> list[tuple[QueryProgress, CommittedBatch]]:
        """Take in the new records of the progress topic.

        Returns the new batches of the counts' query, each with the progress before it.
        """
        stats_batches = []
        for progress, written_at, previous in self._progress.refresh(self._consumer):
            self._last_update[progress.query] = written_at
            if previous is None or (progress.end_offsets, progress.batch_id) == (
                previous.end_offsets,
                previous.batch_id,
            ):
                continue  # the first record, or one about the query's state and no batch
            batch = CommittedBatch(progress, progress.committed_at)
            self._batches.append(batch)
            dropped = self._dropped_rows.get(progress.query, 0)
            self._dropped_rows[progress.query] = dropped + progress.rows_dropped_by_watermark
            if progress.query == STATS:
                stats_batches.append((previous, batch))
        return stats_batches

    def _sample_latencies(self, previous: QueryProgress, batch: CommittedBatch) -> None:
        ranges = {
            TopicPartition(NEST_LOGS.name, number): (previous.end_offsets.get(number, 0), end)
            for number, end in batch.progress.end_offsets.items()
        }
        seconds = sample_latencies(self._consumer, ranges, batch.committed_at)
        if seconds:
            self._latencies.append(BatchLatencies(batch.committed_at, seconds))

    def _drop_before(self, oldest: datetime) -> None:
        while self._samples and self._samples[0].time < oldest:
            self._samples.popleft()
        while self._batches and self._batches[0].committed_at < oldest:
            self._batches.popleft()
        while self._latencies and self._latencies[0].committed_at < oldest:
            self._latencies.popleft()
