"""The errors that every program that talks to Kafka can meet, explained."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from kafka.errors import (
    AuthorizationError,
    KafkaConfigurationError,
    KafkaError,
    TopicAuthorizationFailedError,
    UnknownTopicOrPartitionError,
    UnsupportedCodecError,
)

from contract.errors import NoBroker, UserError
from contract.kafka.cluster import Kafka, KafkaCluster, as_cluster
from contract.kafka.options import parse_options
from contract.kafka.refusals import not_allowed, refusal, require_access
from contract.kafka.slow_answer import notice_if_slow

_WRONG_OPTIONS = (KafkaConfigurationError, AssertionError, RuntimeError, TypeError, ValueError)
"""What kafka-python raises for options that do not fit; for a codec without its package, too."""

_TOPIC = re.compile(r"[A-Za-z0-9._-]+")


@contextmanager
def explain_connection_errors(cluster: KafkaCluster) -> Iterator[None]:
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
def explain_request_errors(cluster: KafkaCluster, operation: str) -> Iterator[None]:
    """Say why Kafka does not do what a client asks: its rights, a topic, no broker, or a refusal.

    What the client may ask again some day is NoBroker, for which callers wait.
    """
    try:
        yield
    except AuthorizationError as error:
        is_of_topics = isinstance(error, TopicAuthorizationFailedError)
        resource = (_topics(error) or "the topics") if is_of_topics else "the cluster"
        raise not_allowed(cluster.principal, operation, resource) from None
    except UnknownTopicOrPartitionError as error:
        raise no_topic(_topics(error)) from None
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


def connection_error(kafka: Kafka, error: Exception) -> UserError:
    """Return the error for a broker that does not answer, or answers and refuses this client."""
    cluster = as_cluster(kafka)
    return refusal(cluster) or NoBroker(
        f"No Kafka broker answers at {cluster.bootstrap_servers} ({error}). "
        "`nest up` starts the demo, `nest broker` Kafka alone. "
        "NEST_BOOTSTRAP_SERVERS names another."
    )


def no_topic(topic: str | None, user: str | None = None) -> UserError:
    """Return the error for a topic that does not exist, or that Kafka does not show to ``user``.

    ``topic`` is None where Kafka does not say which one is missing.
    """
    what = "There is no such topic" if topic is None else f"There is no topic {topic}"
    if user is None:
        return UserError(f"{what}. `nest topics` creates the demo's topics.")
    return UserError(
        f"{what}, or the Kafka user {user} may not Describe it. `nest topics` creates the demo's "
        "topics; docs/security.md lists the rights that each part needs."
    )


def _topics(error: KafkaError) -> str | None:
    """Return the topics that an error of Kafka's client names; it may hold any other text."""
    topics = error.args[0] if error.args else ()
    names = [topics] if isinstance(topics, str) else topics
    if not isinstance(names, set | list | tuple) or not all(map(_TOPIC.fullmatch, names)):
        return None
    return ", ".join(sorted(names)) or None
