"""How long a report took from its own time until it was in the counts."""

from collections import deque
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import numpy as np
from kafka import KafkaConsumer, TopicPartition

from contract.bounded_read import read_range

ASKED = 40
"""How many of a batch's reports are looked at in each partition, the first ones: they waited the
longest, so what is shown errs on the slow side."""


OVER = timedelta(minutes=1)
"""Batches are looked at together for so long, since small ones alone tell little."""


class Freshness(NamedTuple):
    """How old reports were when they were in the counts, seconds, up to a batch's commit."""

    committed: datetime
    median: float
    slow: float
    """Nine of ten were at most so old."""


class Batch(NamedTuple):
    """The ages of a batch's reports when it was committed, seconds."""

    committed: datetime
    ages: list[float]


def freshness_of(batches: Iterable[Batch]) -> list[Freshness]:
    """Return the freshness at each batch's commit, of all batches in the time before it."""
    found = []
    recent: deque[Batch] = deque()
    for batch in batches:
        recent.append(batch)
        while batch.committed - recent[0].committed > OVER:
            recent.popleft()
        ages = [age for each in recent for age in each.ages]
        median, slow = np.percentile(ages, [50, 90])
        found.append(Freshness(batch.committed, float(median), float(slow)))
    return found


def ages_of(
    consumer: KafkaConsumer,
    ranges: dict[TopicPartition, tuple[int, int]],
    committed: datetime,
) -> list[float]:
    """Look at reports of a batch, which has taken in these ranges of offsets; return their ages.

    None are left where they are gone from Kafka.
    """
    first, last = consumer.beginning_offsets(list(ranges)), consumer.end_offsets(list(ranges))
    start = {tp: max(begin, first[tp]) for tp, (begin, _) in ranges.items()}
    # The topic may have been made anew since, and be shorter now.
    end = {tp: min(stop, start[tp] + ASKED, last[tp]) for tp, (_, stop) in ranges.items()}
    return [
        max(0.0, (committed - datetime.fromtimestamp(record.timestamp / 1000, UTC)).total_seconds())
        for record in read_range(consumer, start, end)
    ]
