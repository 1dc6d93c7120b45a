"""Records are sent in order, each acknowledged, or a sentence says why not."""

import pytest
from kafka.errors import (
    KafkaError,
    KafkaTimeoutError,
    NotEnoughReplicasAfterAppendError,
    NotEnoughReplicasError,
    UnknownError,
)

from contract.errors import UserError
from contract.kafka.bounded_read import records_in_topic
from contract.kafka.connections import open_consumer
from contract.kafka.sending import send_records, unacknowledged_sentence
from contract.topics import CAMERA_STATS


@pytest.mark.kafka
def test_records_are_in_the_topic_when_the_function_returns(fresh_topics: str) -> None:
    sent = send_records(fresh_topics, CAMERA_STATS.name, [(b"a", b"1"), (b"a", None)], timestamp=7)
    with open_consumer(fresh_topics) as consumer:
        records = list(records_in_topic(consumer, CAMERA_STATS.name))
    found = [(each.key, each.value, each.timestamp, each.offset) for each in records]
    assert found == [(b"a", b"1", 7, sent[0].offset), (b"a", None, 7, sent[1].offset)]


@pytest.mark.kafka
def test_a_topic_that_is_not_there_and_a_key_that_it_needs_are_named(fresh_topics: str) -> None:
    with pytest.raises(UserError, match="There is no topic nowhere"):
        send_records(fresh_topics, "nowhere", [(b"a", b"1")], wait_s=3)
    with pytest.raises(UserError, match="record for nest-camera-stats was refused"):
        send_records(fresh_topics, CAMERA_STATS.name, [(None, b"1")], wait_s=10)


@pytest.mark.parametrize(
    "error", [KafkaTimeoutError("late"), UnknownError(), NotEnoughReplicasAfterAppendError()]
)
def test_of_a_record_without_an_answer_it_is_said_that_it_may_have_arrived(
    error: KafkaError,
) -> None:
    assert "is not acknowledged, and may be in the topic" in unacknowledged_sentence(
        "A record", error
    )


def test_a_record_for_which_there_are_too_few_replicas_is_refused() -> None:
    assert "A record was refused" in unacknowledged_sentence("A record", NotEnoughReplicasError())


def test_without_a_broker_the_address_is_named() -> None:
    with pytest.raises(UserError, match="No Kafka broker answers at localhost:1"):
        send_records("localhost:1", CAMERA_STATS.name, [(b"a", b"1")], wait_s=0.5)
