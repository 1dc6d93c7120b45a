"""The newest sightings, read from a real Kafka."""

from datetime import UTC, datetime, timedelta

import orjson
import pytest
from kafka import KafkaProducer

from contract.instants import format_instant
from contract.kafka.connections import open_consumer
from contract.sightings import Sighting
from contract.topics import SIGHTINGS
from dashboard.data.latest_sightings import LatestSightings
from tests.fixtures.kafka import renew_topics

pytestmark = pytest.mark.kafka

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def sighting(device_id: str, minute: int) -> Sighting:
    return Sighting(device_id, "94304", NOON + timedelta(minutes=minute))


def send(bootstrap_servers: str, *sightings: Sighting) -> None:
    producer = KafkaProducer(bootstrap_servers=bootstrap_servers, acks="all")
    for each in sightings:
        document = {**each._asdict(), "start_time": format_instant(each.start_time)}
        producer.send(SIGHTINGS.name, orjson.dumps(document)).get(timeout=10)
    producer.close()


def test_a_sighting_that_was_sent_again_is_there_once_and_the_latest_is_first(
    fresh_topics: str,
) -> None:
    first, second = sighting("a", 0), sighting("b", 1)
    send(fresh_topics, first, second, first)
    with open_consumer(fresh_topics) as consumer:
        latest = LatestSightings(consumer)
        assert latest.read() == (second, first)
        third = sighting("c", 2)
        send(fresh_topics, third)
        assert latest.read() == (third, second, first)
        assert list(latest.sent_at) == [first, second, third]


def test_a_recreated_topic_is_read_from_its_beginning(fresh_topics: str) -> None:
    send(fresh_topics, *(sighting("a", minute) for minute in range(3)))
    with open_consumer(fresh_topics) as consumer:
        latest = LatestSightings(consumer)
        assert len(latest.read()) == 3
        renew_topics(fresh_topics)
        again = sighting("b", 0), sighting("b", 1)
        send(fresh_topics, *again)
        assert latest.read() == again[::-1]
        assert set(latest.sent_at) == set(again)
