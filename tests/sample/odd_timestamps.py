"""Records with timestamps that no clock gives, as in a topic without the demo's guards."""

from contract.topics import GUARDS
from tests.fixtures.kafka import Stamped, append_stamped, configure_topic

ODD_TIMESTAMPS = (-4 * 10**18, -(10**14), 0, 10**18)
"""Milliseconds after 1970."""


def remove_guards(bootstrap_servers: str, topic: str) -> None:
    """Have the broker take any timestamp."""
    configure_topic(bootstrap_servers, topic, dict.fromkeys(GUARDS, str(2**63 - 1)))


def send_with_odd_timestamps(
    bootstrap_servers: str, topic: str, key: bytes, value: bytes, partition: int = 0
) -> None:
    """Append the same record with each odd timestamp."""
    records = (Stamped(key, value, each, partition) for each in ODD_TIMESTAMPS)
    append_stamped(bootstrap_servers, topic, *records)
