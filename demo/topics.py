"""Create the topics, and verify every setting that the guarantees rest on."""

from collections.abc import Iterator
from contextlib import contextmanager

from kafka import KafkaAdminClient
from kafka.errors import KafkaError

from contract.errors import UserError
from contract.reading import TIMEOUT_MS
from contract.topics import create_topics, topic_differences


@contextmanager
def open_admin(bootstrap_servers: str) -> Iterator[KafkaAdminClient]:
    """Open a connection for administration; UserError when no broker answers."""
    try:
        admin = KafkaAdminClient(
            bootstrap_servers=bootstrap_servers.split(","), bootstrap_timeout_ms=TIMEOUT_MS
        )
    except (KafkaError, ValueError) as error:
        raise UserError(
            f"No Kafka broker answers at {bootstrap_servers} ({error}). "
            "Start one with `nest broker`, or set NEST_BOOTSTRAP_SERVERS."
        ) from None
    try:
        yield admin
    except KafkaError as error:
        raise UserError(f"The broker at {bootstrap_servers} did not answer: {error}") from None
    finally:
        admin.close()


def ensure_topics(bootstrap_servers: str) -> list[str]:
    """Create the topics that are missing, verify all, and return the names of the new ones.

    Raises UserError naming every setting that differs, or what the broker refused.
    """
    with open_admin(bootstrap_servers) as admin:
        try:
            created = create_topics(admin)
            differences = topic_differences(admin)
        except KafkaError as error:
            raise UserError(f"The broker at {bootstrap_servers} refused: {error}") from None
    if differences:
        lines = "\n".join(f"  {difference}" for difference in differences)
        raise UserError(
            f"These topics are not as the demo needs them:\n{lines}\n"
            "Change the setting on the broker, or delete the topic and run `nest topics` again."
        )
    return created
