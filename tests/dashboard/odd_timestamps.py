"""Records with timestamps that no clock gives, as in a topic without the demo's guards."""

from kafka import KafkaAdminClient, KafkaProducer
from kafka.admin import ConfigResource, ConfigResourceType

from contract.topics import GUARDS

ODD_TIMESTAMPS = (-4 * 10**18, -(10**14), 0, 10**18)
"""Milliseconds after 1970."""


def remove_guards(bootstrap_servers: str, topic: str) -> None:
    """Have the broker take any timestamp."""
    configs = dict.fromkeys(GUARDS, str(2**63 - 1))
    admin = KafkaAdminClient(bootstrap_servers=bootstrap_servers)
    try:
        admin.alter_configs([ConfigResource(ConfigResourceType.TOPIC, topic, configs=configs)])
    finally:
        admin.close()


def send_with_odd_timestamps(
    bootstrap_servers: str, topic: str, key: bytes, value: bytes, partition: int = 0
) -> None:
    """Append the same record with each odd timestamp."""
    producer = KafkaProducer(bootstrap_servers=bootstrap_servers, acks="all")
    try:
        for milliseconds in ODD_TIMESTAMPS:
            sending = producer.send(
                topic, key=key, value=value, partition=partition, timestamp_ms=milliseconds
            )
            sending.get(timeout=10)
    finally:
        producer.close()
