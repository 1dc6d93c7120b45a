"""The sender puts a home's messages into one partition and names a record that fails."""

from contextlib import closing
from datetime import UTC, datetime
from itertools import islice

import pytest
from kafka.partitioner import murmur2

from contract.errors import UserError
from contract.instants import to_epoch_ms
from contract.topics import NEST_LOGS
from producer.sender import Sender
from producer.world.messages import generate
from producer.world.timeline import Timeline
from tests.fixtures.kafka import configure_topic
from tests.producer.topic import SEED, WORLD, records_in, send

pytestmark = pytest.mark.kafka
TIMELINE = Timeline(SEED, to_epoch_ms(datetime(2026, 11, 20, 1, tzinfo=UTC)))


def test_records_are_partitioned_by_key_as_kafkas_own_clients_do(fresh_topics: str) -> None:
    with closing(Sender(fresh_topics)) as sender:
        send(sender, islice(generate(WORLD, TIMELINE), 1000), TIMELINE)
    records = records_in(fresh_topics)
    for record in records:
        assert record.partition == (murmur2(record.key) & 0x7FFFFFFF) % NEST_LOGS.partitions
    for number in range(NEST_LOGS.partitions):
        times = [record.timestamp for record in records if record.partition == number]
        assert times == sorted(times)
        assert times


def test_a_record_that_kafka_refuses_is_named(fresh_topics: str) -> None:
    configure_topic(fresh_topics, NEST_LOGS.name, {"max.message.bytes": "1000"})
    with (
        closing(Sender(fresh_topics)) as sender,
        pytest.raises(
            UserError,
            match=r"partition \d, key \w+, timestamp 2026-11-20T01:.*, was refused: .*TooLarge",
        ),
    ):
        send(sender, islice(generate(WORLD, TIMELINE), 200), TIMELINE)
