"""The state of the stream: input, progress of each query, lag, rates and latency."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple

from contract.drills import DrillMark
from contract.kafka.log_offsets import committed_in_topic, lag_by_partition
from contract.progress import QueryProgress
from contract.queries import BATCHED_FROM_NEST_LOGS
from contract.sightings import Sighting
from dashboard.data.freshness import LatencyPercentiles
from dashboard.data.rates import Rates, TimedTotal, rates_by_step, rates_in_window

_SHORTEST = timedelta(seconds=1)
"""The shortest time over which a rate is told."""


class OffsetSample(NamedTuple):
    """How many records there were at a moment, counted since the topics were created."""

    time: datetime
    """UTC."""
    end_offsets: dict[int, int]
    """The end of nest-logs by partition."""
    committed: dict[str, int]
    """Messages that each query has committed."""
    counts_written: int | None
    """Records of nest-camera-stats; None for a moment of which only the progress topic tells."""

    @property
    def messages(self) -> int:
        """Records of nest-logs."""
        return sum(self.end_offsets.values())


class CommittedBatch(NamedTuple):
    """A micro-batch: the progress before it, and with it."""

    previous: QueryProgress
    progress: QueryProgress

    @property
    def committed_at(self) -> datetime:
        """When it was committed, UTC."""
        return self.progress.committed_at


class Restart(NamedTuple):
    """A query that was started again after it had died or been killed, and when (UTC)."""

    time: datetime
    query: str


@dataclass(frozen=True)
class LiveView:
    """The state of the stream as of one refresh; read-only, since all viewers share it."""

    progress: dict[str, QueryProgress] = field(default_factory=dict)
    """The latest progress of each query."""
    reported_at: dict[str, datetime] = field(default_factory=dict)
    """When each query last reported progress, UTC."""
    end_offsets: dict[int, int] = field(default_factory=dict)
    """The end of nest-logs by partition."""
    samples: tuple[OffsetSample, ...] = ()
    """Oldest first."""
    last_complete: OffsetSample | None = None
    """The newest one before them whose messages were all counted; None if there was none."""
    batches: tuple[CommittedBatch, ...] = ()
    """Oldest first."""
    latencies: tuple[LatencyPercentiles, ...] = ()
    """Oldest first."""
    drills: tuple[DrillMark, ...] = ()
    """Those that ended within the time of the samples, or go on."""
    restarts: tuple[Restart, ...] = ()
    """Oldest first."""
    sightings: tuple[Sighting, ...] = ()
    """The newest of nest-sightings, latest start first."""
    sightings_sent_at: dict[Sighting, datetime] = field(default_factory=dict)
    """When they and others before them were first written there, UTC."""
    dropped_rows: dict[str, int] = field(default_factory=dict)
    """Rows dropped by the watermark in the batches read so far, by query."""

    @property
    def latest_latency(self) -> LatencyPercentiles | None:
        """The latency over the last window; None before a batch was seen."""
        return self.latencies[-1] if self.latencies else None

    @property
    def messages(self) -> int:
        """How many messages have been written to nest-logs since it was created."""
        return sum(self.end_offsets.values())

    def committed(self, query: str) -> dict[int, int]:
        """Return the offsets, by partition of nest-logs, up to which a query has committed.

        Empty where they are of an earlier topic, which was deleted and created again since.
        """
        progress = self.progress.get(query)
        return committed_in_topic(progress.end_offsets, self.end_offsets) if progress else {}

    def lag(self, query: str) -> int:
        """Return how many messages in Kafka a query has not committed yet.

        Always 0 for a query that reads a table, whose progress has the files that are left, and for
        sightings, which commits only every five minutes.
        """
        if query not in BATCHED_FROM_NEST_LOGS:
            return 0
        return sum(lag_by_partition(self.committed(query), self.end_offsets).values())

    def silent_for(self, query: str, now: datetime) -> timedelta | None:
        """Return how long a running query has reported nothing; None if not for too long."""
        progress = self.progress.get(query)
        return progress.silent_for(self.reported_at[query], now) if progress else None

    def input_rate(self) -> float | None:
        """Return the messages per second that arrive in nest-logs; None before it is known."""
        return _newest(self.input_rates(_SHORTEST))

    def query_rate(self, query: str) -> float | None:
        """Return the messages per second that a query commits; None before it is known."""
        return _newest(self.query_rates(query, _SHORTEST))

    def counts_rate(self) -> float | None:
        """Return the records per second written to nest-camera-stats; None before it is known."""
        totals = [
            TimedTotal(each.time, each.counts_written)
            for each in self.samples
            if each.counts_written is not None
        ]
        return _newest(rates_in_window(totals, _SHORTEST))

    def input_rates(self, shortest: timedelta) -> Rates:
        """Yield the messages per second that arrived in nest-logs before each sample.

        None where they are of less than the ``shortest`` time.
        """
        totals = [TimedTotal(each.time, each.messages) for each in self.samples]
        return rates_in_window(totals, shortest)

    def query_rates(self, query: str, shortest: timedelta) -> Rates:
        """Yield the same of what a query committed, for the samples that tell of it."""
        totals = [
            TimedTotal(each.time, each.committed[query])
            for each in self.samples
            if query in each.committed
        ]
        progress = self.progress.get(query)
        if progress and progress.longest_wait:
            return rates_by_step(totals, progress.longest_wait, shortest)
        return rates_in_window(totals, shortest)


def _newest(growth: Rates) -> float | None:
    *_, (_, newest) = ((None, None), *growth)
    return newest
