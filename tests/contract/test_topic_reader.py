"""Reading on in a topic takes each record once, over all partitions, and begins anew with it."""

from itertools import islice

import pytest
from kafka import KafkaConsumer

from contract.kafka.connections import open_consumer
from contract.kafka.topic_reader import TopicReader
from contract.topics import NEST_LOGS
from tests.fixtures.kafka import Stamped, append_stamped, renew_topics

pytestmark = pytest.mark.kafka


def send(bootstrap_servers: str, *numbers: int) -> None:
    """Send numbers, each to the partition that is its remainder by two."""
    records = (Stamped(None, b"%d" % number, None, number % 2) for number in numbers)
    append_stamped(bootstrap_servers, NEST_LOGS.name, *records)


def read_on(reader: TopicReader, consumer: KafkaConsumer) -> list[int]:
    return sorted(int(record.value) for record in reader.read_on(consumer, lambda: None))


def test_each_read_has_what_is_new_in_any_partition(fresh_topics: str) -> None:
    reader = TopicReader(NEST_LOGS.name)
    with open_consumer(fresh_topics) as consumer:
        assert read_on(reader, consumer) == []
        send(fresh_topics, 1, 2, 3)
        assert read_on(reader, consumer) == [1, 2, 3]
        send(fresh_topics, 4)
        assert read_on(reader, consumer) == [4]
        assert read_on(reader, consumer) == []


def test_only_the_first_read_is_bounded(fresh_topics: str) -> None:
    reader = TopicReader(NEST_LOGS.name, read_back=1)
    send(fresh_topics, 1, 2, 3, 4)
    with open_consumer(fresh_topics) as consumer:
        assert read_on(reader, consumer) == [3, 4]
        send(fresh_topics, 5, 6, 7, 8)
        assert read_on(reader, consumer) == [5, 6, 7, 8]


def test_after_a_read_that_was_left_before_its_end_the_next_one_goes_on(fresh_topics: str) -> None:
    reader = TopicReader(NEST_LOGS.name)
    send(fresh_topics, 2, 4, 6)
    with open_consumer(fresh_topics) as consumer:
        (first,) = islice(reader.read_on(consumer, pytest.fail), 1)
        assert [int(first.value), *read_on(reader, consumer)] == [2, 4, 6]


def test_a_topic_that_was_created_again_is_read_anew_and_the_old_one_forgotten(
    fresh_topics: str,
) -> None:
    reader, seen = TopicReader(NEST_LOGS.name), []
    send(fresh_topics, 1, 2, 3)
    with open_consumer(fresh_topics) as consumer:
        seen += read_on(reader, consumer)
    renew_topics(fresh_topics)
    send(fresh_topics, 5)
    with open_consumer(fresh_topics) as consumer:
        seen += [int(record.value) for record in reader.read_on(consumer, seen.clear)]
    assert seen == [5]
