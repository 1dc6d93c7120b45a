"""The newest sightings, read from a real Kafka."""

from dataclasses import asdict
from datetime import UTC, datetime, timedelta

import orjson
import pytest

from contract.instants import format_instant
from contract.kafka.connections import open_consumer
from contract.sightings import Sighting
from contract.topics import SIGHTINGS
from dashboard.data import latest_sightings
from dashboard.data.latest_sightings import LatestSightings
from tests.fixtures.kafka import Stamped, append, append_stamped, renew_topics

pytestmark = pytest.mark.kafka

BEGIN = datetime.now(UTC).replace(microsecond=0) - timedelta(hours=1)
SECOND = timedelta(seconds=1)


def sighting(device_id: str, minute: int) -> Sighting:
    return Sighting(device_id, "94304", BEGIN + timedelta(minutes=minute))


def encode(sighting: Sighting) -> bytes:
    return orjson.dumps({**asdict(sighting), "start_time": format_instant(sighting.start_time)})


def send(bootstrap_servers: str, *sightings: Sighting) -> None:
    append(bootstrap_servers, SIGHTINGS.name, *((None, encode(each)) for each in sightings))


def send_at(bootstrap_servers: str, *sent: tuple[Sighting, int]) -> None:
    """Send each sighting a second and so many minutes after the begin."""
    begin = round((BEGIN + SECOND).timestamp() * 1000)
    records = (Stamped(None, encode(each), begin + minute * 60_000) for each, minute in sent)
    append_stamped(bootstrap_servers, SIGHTINGS.name, *records)


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


def test_of_a_sighting_whose_first_record_was_not_read_nothing_tells_when_it_was_sent(
    fresh_topics: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(latest_sightings, "_READ_BACK", 3)
    first, second, third = (sighting("a", minute) for minute in range(3))
    send_at(fresh_topics, (first, 0), (second, 1), (first, 2), (third, 2))
    with open_consumer(fresh_topics) as consumer:
        latest = LatestSightings(consumer)
        assert latest.read() == (third, second, first)
        assert latest.sent_at == {third: third.start_time + SECOND}


def test_a_sighting_that_is_sent_again_after_it_was_forgotten_was_not_sent_now(
    fresh_topics: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(latest_sightings, "_READ_BACK", 3)
    old, *new = (sighting("a", minute) for minute in range(4))
    with open_consumer(fresh_topics) as consumer:
        latest = LatestSightings(consumer)
        send_at(fresh_topics, (old, 0), (new[0], 1))
        latest.read()
        assert latest.sent_at[old] == old.start_time + SECOND
        send_at(fresh_topics, (new[1], 2), (new[2], 3))
        latest.read()
        send_at(fresh_topics, (old, 4))
        latest.read()
        assert latest.sent_at == {each: each.start_time + SECOND for each in new}


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
