"""A producer that cannot begin says why."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from contract.errors import UserError
from contract.kafka.connections import open_admin
from contract.topics import NEST_LOGS
from demo.stack.ports import free_port
from producer.produce import produce
from tests.fixtures.kafka import GIVES_UP_SOON, delete_topic
from tests.producer.topic import settings_for


@pytest.mark.kafka
def test_a_missing_topic_is_an_error_that_says_what_to_do(
    fresh_topics: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("producer.sender.MAX_BLOCK_MS", 1_000)
    delete_topic(fresh_topics, NEST_LOGS.name)
    with pytest.raises(UserError, match="no topic nest-logs"):
        produce(settings_for(fresh_topics), messages=10)
    with open_admin(fresh_topics) as admin:
        assert NEST_LOGS.name not in admin.list_topics()


def test_a_missing_broker_is_an_error_that_says_where_it_was_expected() -> None:
    nowhere = f"localhost:{free_port()}"
    with pytest.raises(UserError, match=f"No Kafka broker answers at {nowhere}"):
        produce(settings_for(nowhere, kafka_options=GIVES_UP_SOON), messages=10)


def test_a_full_disk_stops_a_producer_before_it_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("producer.disk_space.MIN_FREE_BYTES", 1 << 60)
    with pytest.raises(UserError, match="GB of disk are free"):
        produce(settings_for("localhost:1", state=tmp_path), messages=10)


@pytest.mark.parametrize("messages", [None, 10])
@pytest.mark.parametrize(
    ("start", "says"),
    [
        (datetime(2999, 1, 1, tzinfo=UTC), "2999-01-01T00:00:00.* is still to come"),
        (datetime(9999, 12, 31, 23, 59, 59), "is still to come"),
        (datetime(1971, 12, 31, 23, tzinfo=UTC), "too long ago: nest-logs takes no message from"),
        (datetime(1, 1, 1), "is too long ago"),
    ],
)
def test_a_start_that_nest_logs_does_not_take_or_in_the_future_is_refused(
    messages: int | None, start: datetime, says: str
) -> None:
    with pytest.raises(UserError, match=says):
        produce(settings_for("localhost:1"), messages=messages, start=start)
