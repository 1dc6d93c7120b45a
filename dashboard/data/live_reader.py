"""Read the state of the stream from Kafka, each time from where the last read ended."""

from collections import deque
from collections.abc import Generator
from datetime import UTC, datetime, timedelta

from kafka import KafkaConsumer, TopicPartition

from contract.kafka.cluster import Kafka
from contract.kafka.connections import ends_by_partition, open_consumer
from contract.kafka.log_offsets import has_reached
from contract.progress import ProgressLog, QueryProgress
from contract.queries import BATCHED_FROM_NEST_LOGS, Query
from contract.topics import CAMERA_STATS, NEST_LOGS
from dashboard.data.freshness import BatchLatencies, rolling_percentiles, sample_latencies
from dashboard.data.latest_sightings import LatestSightings
from dashboard.data.live_view import CommittedBatch, LiveView, OffsetSample, Restart

HISTORY = timedelta(minutes=10)
"""How far back samples and batches are kept."""
_MAX_PROGRESS_RECORDS = 2000
"""How many progress records the first read goes back: more than there are of this time."""
_MAX_SAMPLED_BATCHES = 15
"""How many batches are sampled for their latency in one read, the newest first."""
_LATENCY_STEP = timedelta(seconds=5)
"""Of the batches that were committed before somebody watched, one in this time is sampled."""
_SAMPLE_STEP = timedelta(seconds=2)
"""Moments of the past are taken from the progress topic where none closer than this is known."""


def read_live(kafka: Kafka) -> Generator[LiveView, None, None]:
    """Yield the current state of the stream each time; UserError when Kafka does not answer."""
    with open_consumer(kafka) as consumer:
        reader = _LiveReader(consumer)
        while True:
            yield reader.read()


class _LiveReader:
    """Keeps what it has read, so that each read fetches only what is new."""

    def __init__(self, consumer: KafkaConsumer) -> None:
        self._consumer = consumer
        self._progress = ProgressLog(_MAX_PROGRESS_RECORDS)
        self._samples: deque[OffsetSample] = deque()
        self._last_complete: OffsetSample | None = None
        self._batches: deque[CommittedBatch] = deque()
        self._restarts: deque[Restart] = deque()
        self._latencies: list[BatchLatencies] = []
        self._unsampled: list[CommittedBatch] = []
        self._committed: dict[str, int] = {}
        self._dropped_rows: dict[str, int] = {}
        self._sightings = LatestSightings(consumer)

    def read(self) -> LiveView:
        now = datetime.now(UTC)  # the messages of this moment are among those of the sample
        self._read_progress(now)
        # Read after the progress, so that no query has committed more.
        end_offsets = ends_by_partition(self._consumer, NEST_LOGS.name)
        counts_written = sum(ends_by_partition(self._consumer, CAMERA_STATS.name).values())
        messages = sum(end_offsets.values())
        self._forget_what_is_gone(messages)
        self._sample_latencies()
        progress = dict(self._progress.latest)
        self._samples.append(OffsetSample(now, end_offsets, dict(self._committed), counts_written))
        self._drop_before(now - HISTORY)
        return LiveView(
            progress=progress,
            reported_at=dict(self._progress.reported_at),
            end_offsets=end_offsets,
            samples=tuple(self._samples),
            last_complete=self._last_complete,
            batches=tuple(self._batches),
            latencies=tuple(rolling_percentiles(self._latencies)),
            drills=tuple(
                each
                for each in self._progress.drills.values()
                if (each.ended_at or now) >= now - HISTORY
            ),
            restarts=tuple(self._restarts),
            sightings=self._sightings.read(),
            sightings_sent_at=dict(self._sightings.sent_at),
            dropped_rows=dict(self._dropped_rows),
        )

    def _read_progress(self, now: datetime) -> None:
        """Take in the new records of the progress topic: batches, and moments nobody watched."""
        stats_batches: list[CommittedBatch] = []
        for report in self._progress.refresh(self._consumer):
            progress, written_at, previous = report
            if previous and progress.restarts > previous.restarts:
                self._restarts.append(Restart(written_at, progress.query))
            # Any other is the first record of its query, or one about the query's state.
            if previous and report.is_new_batch:
                self._sample_past(progress, now)
                batch = CommittedBatch(previous, progress)
                self._batches.append(batch)
                dropped = self._dropped_rows.get(progress.query, 0)
                self._dropped_rows[progress.query] = dropped + progress.rows_dropped_by_watermark
                if progress.query == Query.STATS and batch.committed_at >= now - HISTORY:
                    stats_batches.append(batch)
            if progress.query in BATCHED_FROM_NEST_LOGS:
                self._committed[progress.query] = sum(progress.end_offsets.values())
        self._unsampled += _one_in_each_step(stats_batches)

    def _forget_what_is_gone(self, messages: int) -> None:
        """Forget queries that are not in the progress topic any more, and another nest-logs.

        One that had more messages than there are now was recreated since.
        """
        self._committed = {
            query: committed
            for query, committed in self._committed.items()
            if query in self._progress.latest and committed <= messages
        }
        if self._samples and messages < self._samples[-1].messages:
            for read in (self._samples, self._batches, self._latencies, self._unsampled):
                read.clear()
            self._last_complete = None

    def _sample_past(self, progress: QueryProgress, now: datetime) -> None:
        """Add what was in Kafka and what was committed when a batch was triggered."""
        moment = progress.triggered_at
        messages = sum(progress.log_end_offsets.values())
        last = self._samples[-1] if self._samples else OffsetSample(now - HISTORY, {}, {}, None)
        is_later = last.time + _SAMPLE_STEP <= moment < now and last.messages <= messages
        if progress.log_end_offsets and is_later:
            ends = dict(progress.log_end_offsets)
            self._samples.append(OffsetSample(moment, ends, dict(self._committed), None))

    def _sample_latencies(self) -> None:
        """Sample the latencies of the newest batches of which there are none yet."""
        newest = self._unsampled[-_MAX_SAMPLED_BATCHES:]
        del self._unsampled[-_MAX_SAMPLED_BATCHES:]
        for previous, progress in newest:
            ranges = {
                TopicPartition(NEST_LOGS.name, number): (previous.end_offsets.get(number, 0), end)
                for number, end in progress.end_offsets.items()
            }
            seconds = sample_latencies(self._consumer, ranges, progress.committed_at)
            if seconds:
                self._latencies.append(BatchLatencies(progress.committed_at, seconds))
        self._latencies.sort(key=lambda each: each.committed_at)

    def _drop_before(self, oldest: datetime) -> None:
        stats = self._progress.latest.get(Query.STATS)
        counted = stats.end_offsets if stats and Query.STATS in self._committed else {}
        while self._samples and self._samples[0].time < oldest:
            sample = self._samples.popleft()
            if has_reached(counted, sample.end_offsets):
                self._last_complete = sample
        while self._batches and self._batches[0].committed_at < oldest:
            self._batches.popleft()
        while self._restarts and self._restarts[0].time < oldest:
            self._restarts.popleft()
        self._latencies = [each for each in self._latencies if each.committed_at >= oldest]


def _one_in_each_step(batches: list[CommittedBatch]) -> list[CommittedBatch]:
    """Return the newest batches, and of the older ones one in each step of time; oldest first."""
    older, newest = batches[:-_MAX_SAMPLED_BATCHES], batches[-_MAX_SAMPLED_BATCHES:]
    kept: list[CommittedBatch] = []
    for batch in older:
        since = batch.committed_at - kept[-1].committed_at if kept else None
        if since is None or since >= _LATENCY_STEP:
            kept.append(batch)
    return kept + newest
