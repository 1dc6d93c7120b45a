"""Connections to Kafka, and the errors that every program that talks to it can meet."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, TopicPartition
from kafka.errors import (
    AuthorizationError,
    KafkaConfigurationError,
    KafkaError,
    KafkaTimeoutError,
    UnknownTopicOrPartitionError,
    UnsupportedCodecError,
    for_code,
)
from tenacity import retry, retry_if_exception, stop_after_delay, wait_fixed

from contract.errors import NoBroker, UserError
from contract.kafka.cluster import Kafka, KafkaCluster, as_cluster
from contract.kafka.options import parse_options
from contract.kafka.refusals import not_allowed, refusal, require_access
from contract.kafka.slow_answer import notice_if_slow

T = TypeVar("T")
TIMEOUT_MS = 10_000
"""How long a broker may take to answer."""
_CLIENT = {
    "bootstrap_timeout_ms": TIMEOUT_MS,
    "reconnect_backoff_max_ms": 1_000,  # Java's default; kafka-python's 30 s outlast a restart
}
"""How every client connects, unless NEST_KAFKA_OPTIONS says otherwise."""
_WRONG_OPTIONS = (KafkaConfigurationError, AssertionError, RuntimeError, TypeError, ValueError)
"""What kafka-python raises for options that do not fit; for a codec without its package, too."""
_READING = {
    "request_timeout_ms": TIMEOUT_MS,
    "fetch_max_wait_ms": 100,  # a bounded read gains nothing by waiting at the topic's end
    "fetch_max_bytes": 16 << 20,
    "max_partition_fetch_bytes": 4 << 20,
    "max_poll_records": 10_000,
}
"""How a consumer reads, unless NEST_KAFKA_OPTIONS says otherwise."""


@contextmanager
def _connecting(cluster: KafkaCluster) -> Iterator[None]:
    """Say why a client cannot be made: its options, this client's rights, or no broker."""
    require_access(cluster)
    try:
        with notice_if_slow(cluster.bootstrap_servers):
            yield
    except (KafkaError, *_WRONG_OPTIONS) as error:
        if isinstance(error, _WRONG_OPTIONS) and parse_options(cluster.options):
            raise UserError(f"NEST_KAFKA_OPTIONS cannot be used: {error}") from None
        raise connection_error(cluster, error) from None


@contextmanager
def _asking(cluster: KafkaCluster, operation: str) -> Iterator[None]:
    """Say why Kafka does not do what a client asks: its rights, a topic, no broker, or a refusal.

    What the client may ask again some day is NoBroker, for which callers wait.
    """
    try:
        yield
    except AuthorizationError as error:
        raise not_allowed(cluster.principal, operation, _resource(error)) from None
    except UnknownTopicOrPartitionError as error:
        raise no_topic(_resource(error)) from None
    except UnsupportedCodecError as error:
        raise UserError(
            f"Kafka at {cluster.bootstrap_servers} has records whose compression this Python "
            f"cannot read ({error}), from before `nest topics` set compression.type on their "
            "topic. Spark reads them. For this command install what unpacks them: python -m pip "
            "install 'kafka-python[lz4,snappy,zstd]'"
        ) from None
    except KafkaError as error:
        if error.retriable:
            raise connection_error(cluster, error) from None
        raise UserError(f"Kafka at {cluster.bootstrap_servers} refused: {error}") from None


@contextmanager
def open_consumer(kafka: Kafka) -> Iterator[KafkaConsumer]:
    """Open a consumer of raw bytes that belongs to no group and commits nothing.

    Raises UserError when no broker answers, at first or later inside the ``with``, and when Kafka
    does not let this client in or read.
    """
    cluster = as_cluster(kafka)
    arguments = _CLIENT | _READING | cluster.python_arguments(KafkaConsumer.DEFAULT_CONFIG)
    with _connecting(cluster):
        consumer = KafkaConsumer(
            allow_auto_create_topics=False,  # a reader creates no topic that was deleted
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            **arguments,
        )
    try:
        with _asking(cluster, "Read"):
            yield consumer
    finally:
        consumer.close()


@contextmanager
def open_admin(kafka: Kafka) -> Iterator[KafkaAdminClient]:
    """Open an admin client; UserError when no broker answers, at first or later, or one refuses."""
    cluster = as_cluster(kafka)
    arguments = _CLIENT | cluster.python_arguments(KafkaAdminClient.DEFAULT_CONFIG)
    with _connecting(cluster):
        admin = KafkaAdminClient(**arguments)
    try:
        with _asking(cluster, "Describe or Alter"):
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
    with _connecting(cluster):
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


def connection_error(kafka: Kafka, error: Exception) -> UserError:
    """Return the error for a broker that does not answer, or answers and refuses this client."""
    cluster = as_cluster(kafka)
    return refusal(cluster) or NoBroker(
        f"No Kafka broker answers at {cluster.bootstrap_servers} ({error}). "
        "`nest up` starts the demo, `nest broker` Kafka alone. "
        "NEST_BOOTSTRAP_SERVERS names another."
    )


def no_topic(topic: str, user: str | None = None) -> UserError:
    """Return the error for a topic that does not exist, or that Kafka does not show to ``user``."""
    if user is None:
        return UserError(f"There is no topic {topic}. `nest topics` creates the demo's topics.")
    return UserError(
        f"There is no topic {topic}, or the Kafka user {user} may not Describe it. `nest topics` "
        "creates the demo's topics; docs/security.md lists the rights that each part needs."
    )


def _resource(error: AuthorizationError) -> str:
    """Return what a refusal is about: the topics that it names, else the cluster."""
    topics = error.args[0] if error.args else ()
    if isinstance(topics, str):
        return topics
    return ", ".join(sorted(topics)) if isinstance(topics, set | list | tuple) else "the cluster"
