"""Write counts to nest-camera-stats with confluent-kafka, in this project's record format."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from confluent_kafka import Producer

from contract.settings import Settings
from contract.stats import encode_key, hour_key
from contract.topics import CAMERA_STATS

HourKey = tuple[str, int]
"""Zip code and start of the hour (µs since 1970, UTC)."""
HOUR_US = 3_600_000_000

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class CountWriter:
    """Sends absolute counts; ``flush`` returns when all of them are acknowledged."""

    def __init__(self, settings: Settings) -> None:
        self._producer = Producer(
            {"bootstrap.servers": settings.bootstrap_servers, "acks": "all", "linger.ms": 5}
        )

    def send(self, counts: Iterable[tuple[HourKey, int]]) -> None:
        """Send the count of each given zip code and hour."""
        for (zip_code, micros), count in counts:
            start = _EPOCH + timedelta(microseconds=micros)
            key = encode_key(hour_key(zip_code, start))
            self._producer.produce(CAMERA_STATS.name, str(count).encode(), key)
        self._producer.poll(0)

    def flush(self) -> None:
        """Wait for the acknowledgements."""
        self._producer.flush()
