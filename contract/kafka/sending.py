"""Send some records to a topic, each acknowledged; the producer has a faster sender of its own."""

from collections.abc import Iterable
from contextlib import suppress

from kafka.errors import (
    BrokerResponseError,
    KafkaError,
    NotEnoughReplicasError,
    UnknownError,
)
from kafka.producer.future import RecordMetadata

from contract.errors import UserError
from contract.kafka.cluster import Kafka
from contract.kafka.connections import new_producer, require_topic
from contract.kafka.rights import require_rights

WAIT_S = 30.0
"""How long a broker may be away before a record is given up."""
_MOST_BYTES = 4 << 20


def send_records(
    kafka: Kafka,
    topic: str,
    records: Iterable[tuple[bytes | None, bytes | None]],
    *,
    timestamp: int | None = None,
    wait_s: float = WAIT_S,
) -> list[RecordMetadata]:
    """Send pairs of key and value in order, and return where each is in the topic.

    ``timestamp`` is in milliseconds, by default now. A value of None is a tombstone. Raises
    UserError when no broker answers, there is no such topic, or a record is not acknowledged
    within ``wait_s``; records before it may be in the topic by then.
    """
    wait_ms = int(wait_s * 1000)
    require_rights(kafka, {topic: ("Write",)})
    producer = new_producer(
        kafka,
        acks="all",
        max_request_size=_MOST_BYTES,
        bootstrap_timeout_ms=wait_ms,
        max_block_ms=wait_ms,
        allow_auto_create_topics=False,
    )
    try:
        require_topic(producer, topic)
        sent = [
            producer.send(topic, key=key, value=value, timestamp_ms=timestamp)
            for key, value in records
        ]
        return [future.get(timeout=wait_s) for future in sent]
    except KafkaError as error:
        raise UserError(unacknowledged_sentence(f"A record for {topic}", error)) from None
    finally:
        with suppress(KafkaError):  # it flushes; what was not acknowledged is said above
            producer.close(timeout=5)


def unacknowledged_sentence(record: str, error: KafkaError) -> str:
    """Return a sentence of what an error says of a record: it was refused, or nobody knows."""
    is_answer = isinstance(error, BrokerResponseError) and not isinstance(error, UnknownError)
    if is_answer and (not error.retriable or isinstance(error, NotEnoughReplicasError)):
        return f"{record} was refused: {error}"
    return f"{record} is not acknowledged, and may be in the topic all the same: {error}"
