"""Freshness: the latency from a message's own timestamp until its batch is in the counts."""

from collections import deque
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

import numpy as np
from kafka import KafkaConsumer, TopicPartition

from contract.instants import from_epoch_ms
from contract.kafka.bounded_read import read_range

SAMPLE_SIZE = 40
"""How many of a batch's messages are sampled per partition. They are the first ones, which waited
the longest, so the latency shown is rather too high than too low."""
LATENCY_WINDOW = timedelta(minutes=1)
"""Percentiles are over the batches of this time, since a small batch alone has few samples."""


class BatchLatencies(NamedTuple):
    """The latencies of a batch's sampled messages."""

    committed_at: datetime
    """UTC."""
    seconds: list[float]


class LatencyPercentiles(NamedTuple):
    """The latency in the window that ends with a batch's commit, in seconds."""

    committed_at: datetime
    """UTC."""
    p50: float
    p90: float


def rolling_percentiles(batches: Iterable[BatchLatencies]) -> list[LatencyPercentiles]:
    """Return the percentiles at the commit of each batch, over the window before it."""
    percentiles = []
    window: deque[BatchLatencies] = deque()
    for batch in batches:
        window.append(batch)
        while batch.committed_at - window[0].committed_at > LATENCY_WINDOW:
            window.popleft()
        seconds = [latency for each in window for latency in each.seconds]
        p50, p90 = np.percentile(seconds, [50, 90])
        percentiles.append(LatencyPercentiles(batch.committed_at, float(p50), float(p90)))
    return percentiles


def sample_latencies(
    consumer: KafkaConsumer,
    ranges: dict[TopicPartition, tuple[int, int]],
    committed_at: datetime,
) -> list[float]:
    """Return the latencies in seconds of sampled messages of a batch with these offset ranges.

    A range is from its first offset up to, not including, its last. Messages that retention has
    removed from Kafka give none.
    """
    first, last = consumer.beginning_offsets(list(ranges)), consumer.end_offsets(list(ranges))
    start = {tp: max(begin, first[tp]) for tp, (begin, _) in ranges.items()}
    # A topic that was recreated may be shorter than the range.
    end = {tp: min(stop, start[tp] + SAMPLE_SIZE, last[tp]) for tp, (_, stop) in ranges.items()}
    return [
        max(0.0, (committed_at - from_epoch_ms(record.timestamp)).total_seconds())
        for record in read_range(consumer, start, end)
    ]
