"""Connections to Kafka, and what they tell of its topics."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, TopicPartition
from kafka.errors import KafkaError, KafkaTimeoutError, for_code
from tenacity import retry, retry_if_exception, stop_after_delay, wait_fixed

from contract.kafka.client_errors import explain_connection_errors, explain_request_errors, no_topic
from contract.kafka.cluster import Kafka, as_cluster

T = TypeVar("T")
TIMEOUT_MS = 10_000
"""How long a broker may take to answer."""
_CLIENT = {
    "bootstrap_timeout_ms": TIMEOUT_MS,
    "reconnect_backoff_max_ms": 1_000,  # Java's default; kafka-python's 30 s outlast a restart
}
"""How every client connects, unless NEST_KAFKA_OPTIONS says otherwise."""
_READING = {
    "request_timeout_ms": TIMEOUT_MS,
    "fetch_max_wait_ms": 100,  # a bounded read gains nothing by waiting at the topic's end
    "fetch_max_bytes": 16 << 20,
    "max_partition_fetch_bytes": 4 << 20,
    "max_poll_records": 10_000,
}
"""How a consumer reads, unless NEST_KAFKA_OPTIONS says otherwise."""


@contextmanager
def open_consumer(kafka: Kafka) -> Iterator[KafkaConsumer]:
    """Open a consumer of raw bytes that belongs to no group and commits nothing.

    Raises UserError when no broker answers, at first or later inside the ``with``, and when Kafka
    does not let this client in or read.
    """
    cluster = as_cluster(kafka)
    arguments = _CLIENT | _READING | cluster.python_arguments(KafkaConsumer.DEFAULT_CONFIG)
    with explain_connection_errors(cluster):
        consumer = KafkaConsumer(
            allow_auto_create_topics=False,  # a reader creates no topic that was deleted
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            **arguments,
        )
    try:
        with explain_request_errors(cluster, "Read"):
            yield consumer
    finally:
        consumer.close()


@contextmanager
def open_admin(kafka: Kafka) -> Iterator[KafkaAdminClient]:
    """Open an admin client; UserError when no broker answers, at first or later, or one refuses."""
    cluster = as_cluster(kafka)
    arguments = _CLIENT | cluster.python_arguments(KafkaAdminClient.DEFAULT_CONFIG)
    with explain_connection_errors(cluster):
        admin = KafkaAdminClient(**arguments)
    try:
        with explain_request_errors(cluster, "Describe or Alter"):
            yield admin
    finally:
        admin.close()


def ask_admin(kafka: Kafka, question: Callable[[KafkaAdminClient], T]) -> T:
    """Return an admin client's answer to a question that changes nothing.

    It is asked again for TIMEOUT_MS: a broker that has just gone is listed, and asked, for some
    seconds more. Raises UserError as open_admin.
    """
    again = retry(
        retry=retry_if_exception(lambda error: isinstance(error, KafkaError) and error.retriable),
        stop=stop_after_delay(TIMEOUT_MS / 1000),
        wait=wait_fixed(0.2),
        reraise=True,
    )
    with open_admin(kafka) as admin:
        return again(question)(admin)


def new_producer(kafka: Kafka, **needed: Any) -> KafkaProducer:
    """Return a producer; ``needed`` are keyword arguments that NEST_KAFKA_OPTIONS cannot change.

    Raises UserError when no broker answers, or Kafka does not let this client in.
    """
    cluster = as_cluster(kafka)
    arguments = _CLIENT | cluster.python_arguments(KafkaProducer.DEFAULT_CONFIG)
    with explain_connection_errors(cluster):
        return KafkaProducer(**arguments | needed)


def require_topic(producer: KafkaProducer, topic: str) -> list[int]:
    """Return the numbers of a topic's partitions in order; UserError if there is no such topic."""
    try:
        numbers = producer.partitions_for(topic)
    except KafkaTimeoutError:  # it has asked for the topic again and again
        numbers = None
    if not numbers:
        raise no_topic(topic)
    return sorted(numbers)


def describe_topic(admin: KafkaAdminClient, topic: str) -> dict[str, Any]:
    """Return what Kafka tells of a topic; KafkaError if it tells nothing.

    A broker may not have heard yet of a topic that was just created: ``ask_admin`` asks again.
    """
    (found,) = admin.describe_topics([topic])
    if found["error_code"]:
        raise for_code(found["error_code"])(topic)
    return dict(found)


def partitions_of(consumer: KafkaConsumer, topic: str) -> list[TopicPartition]:
    """Return a topic's partitions in order; UserError if there is no such topic."""
    numbers = consumer.partitions_for_topic(topic)
    if not numbers:
        raise no_topic(topic, consumer.config["sasl_plain_username"])
    return [TopicPartition(topic, number) for number in sorted(numbers)]


def ends_by_partition(consumer: KafkaConsumer, topic: str) -> dict[int, int]:
    """Return where each partition of a topic ends; UserError if there is no such topic."""
    ends = consumer.end_offsets(partitions_of(consumer, topic))
    return {tp.partition: end for tp, end in ends.items()}
