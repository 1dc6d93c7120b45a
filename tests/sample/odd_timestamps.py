"""Records with timestamps that no clock gives, as in a topic without the demo's guards."""

from contract.topics import GUARDS
from tests.fixtures.kafka import append, configure_topic

ODD_TIMESTAMPS = (-4 * 10**18, -(10**14), 0, 10**18)
"""Milliseconds after 1970."""


def remove_guards(bootstrap_servers: str, topic: str) -> None:
    """Have the broker take any timestamp."""
    configure_topic(bootstrap_servers, topic, dict.fromkeys(GUARDS, str(2**63 - 1)))


def send_with_odd_timestamps(
    bootstrap_servers: str, topic: str, key: bytes, value: bytes, partition: int = 0
) -> None:
    """Append the same record with each odd timestamp."""
    for milliseconds in ODD_TIMESTAMPS:
        append(bootstrap_servers, topic, (key, value), partition=partition, timestamp=milliseconds)
