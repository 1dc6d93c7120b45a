"""How long a report took from its own time until it was in the counts."""

from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np
from kafka import KafkaConsumer, TopicPartition

from contract.reading import read_range

ASKED = 40
"""How many of a batch's reports are looked at in each partition, the first ones: they waited the
longest, so what is shown errs on the slow side."""


class Freshness(NamedTuple):
    """How old a batch's reports were when they were in the counts, seconds."""

    committed: datetime
    median: float
    slow: float
    """Nine of ten were at most so old."""


def freshness_of(
    consumer: KafkaConsumer,
    ranges: dict[TopicPartition, tuple[int, int]],
    committed: datetime,
) -> Freshness | None:
    """Look at the reports of a batch, which has taken in these ranges of offsets.

    None if no report of it is left in Kafka.
    """
    first, last = consumer.beginning_offsets(list(ranges)), consumer.end_offsets(list(ranges))
    start = {tp: max(begin, first[tp]) for tp, (begin, _) in ranges.items()}
    # The topic may have been made anew since, and be shorter now.
    end = {tp: min(stop, start[tp] + ASKED, last[tp]) for tp, (_, stop) in ranges.items()}
    ages = [
        (committed - datetime.fromtimestamp(record.timestamp / 1000, UTC)).total_seconds()
        for record in read_range(consumer, start, end)
    ]
    if not ages:
        return None
    median, slow = np.percentile(np.maximum(ages, 0.0), [50, 90])
    return Freshness(committed, float(median), float(slow))
