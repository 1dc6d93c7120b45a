"""Ranges of a topic are read one after the other by one consumer, whatever their records are."""

from itertools import pairwise

import pytest
from kafka import TopicPartition

from contract.kafka.bounded_read import read_range
from contract.kafka.connections import open_consumer
from contract.topics import NEST_LOGS
from tests.fixtures.kafka import Stamped, append_stamped

pytestmark = pytest.mark.kafka

PARTITIONS = [TopicPartition(NEST_LOGS.name, number) for number in range(NEST_LOGS.partitions)]
EACH, RANGES = 20_000, 10


def test_ranges_of_records_so_small_that_one_fetch_has_many_ranges_are_read_in_turn(
    fresh_topics: str,
) -> None:
    records = (
        Stamped(b"", b"%d" % offset, None, tp.partition)
        for tp in PARTITIONS
        for offset in range(EACH)
    )
    append_stamped(fresh_topics, NEST_LOGS.name, *records)
    bounds = range(0, EACH + 1, EACH // RANGES)
    read: dict[TopicPartition, list[int]] = {tp: [] for tp in PARTITIONS}
    with open_consumer(fresh_topics) as consumer:
        for low, high in pairwise(bounds):
            lower, upper = dict.fromkeys(PARTITIONS, low), dict.fromkeys(PARTITIONS, high)
            for record in read_range(consumer, lower, upper):
                read[TopicPartition(record.topic, record.partition)].append(int(record.value))
    assert read == {tp: list(range(EACH)) for tp in PARTITIONS}
