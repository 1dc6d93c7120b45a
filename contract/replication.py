"""On how many brokers Kafka keeps the topics."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Replication:
    """What is asked for when topics are created; None leaves a number to the brokers' defaults."""

    factor: int | None = None
    """How many brokers keep each message."""
    min_in_sync: int | None = None
    """How many of them must have a message before it is acknowledged."""

    @property
    def config(self) -> dict[str, str]:
        """What a topic's configuration has of it."""
        return {} if self.min_in_sync is None else {"min.insync.replicas": str(self.min_in_sync)}


BY_DEFAULT = Replication()
