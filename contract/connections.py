"""Connections to Kafka, and the two errors that every program that talks to it can meet."""

from collections.abc import Iterator
from contextlib import contextmanager

from kafka import KafkaAdminClient, KafkaConsumer, TopicPartition
from kafka.errors import KafkaError

from contract.errors import UserError

TIMEOUT_MS = 10_000
"""How long a broker may take to answer."""


@contextmanager
def open_consumer(bootstrap_servers: str) -> Iterator[KafkaConsumer]:
    """Open a consumer of raw bytes that belongs to no group and commits nothing.

    Raises UserError when no broker answers, at first or later inside the ``with``.
    """
    try:
        consumer = KafkaConsumer(
            bootstrap_servers=bootstrap_servers.split(","),
            bootstrap_timeout_ms=TIMEOUT_MS,
            request_timeout_ms=TIMEOUT_MS,
            allow_auto_create_topics=False,  # a reader must not create a topic that was deleted
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            fetch_max_wait_ms=100,  # a bounded read gains nothing by waiting at the topic's end
            fetch_max_bytes=16 << 20,
            max_partition_fetch_bytes=4 << 20,
            max_poll_records=10_000,
        )
    except (KafkaError, ValueError) as error:  # ValueError: not host:port
        raise no_broker(bootstrap_servers, error) from None
    try:
        yield consumer
    except KafkaError as error:
        raise no_broker(bootstrap_servers, error) from None
    finally:
        consumer.close()


@contextmanager
def open_admin(bootstrap_servers: str) -> Iterator[KafkaAdminClient]:
    """Open an admin client; UserError when no broker answers, at first or later."""
    try:
        admin = KafkaAdminClient(
            bootstrap_servers=bootstrap_servers.split(","), bootstrap_timeout_ms=TIMEOUT_MS
        )
    except (KafkaError, ValueError) as error:
        raise no_broker(bootstrap_servers, error) from None
    try:
        yield admin
    except KafkaError as error:
        raise UserError(f"The broker at {bootstrap_servers} did not answer: {error}") from None
    finally:
        admin.close()


def partitions_of(consumer: KafkaConsumer, topic: str) -> list[TopicPartition]:
    """Return a topic's partitions in order; UserError if there is no such topic."""
    numbers = consumer.partitions_for_topic(topic)
    if not numbers:
        raise no_topic(topic)
    return [TopicPartition(topic, number) for number in sorted(numbers)]


def no_broker(bootstrap_servers: str, error: Exception) -> UserError:
    """Return the error for a broker that does not answer."""
    return UserError(
        f"No Kafka broker answers at {bootstrap_servers} ({error}). "
        "Start one with `nest broker`, or set NEST_BOOTSTRAP_SERVERS."
    )


def no_topic(topic: str) -> UserError:
    """Return the error for a topic that does not exist."""
    return UserError(f"There is no topic {topic}. `nest topics` creates the demo's topics.")
