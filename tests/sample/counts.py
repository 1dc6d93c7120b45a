"""Counts put into Kafka the way the pipeline writes them."""

from datetime import timedelta

from contract.stats import StatsKey, encode_key, hour_key
from contract.topics import CAMERA_STATS
from tests.fixtures.kafka import append
from tests.sample.lake import NOON


def key(zip_code: str, hour: int = 0) -> StatsKey:
    """Return the key of a zip code and of the hour that starts so many hours after noon, UTC."""
    return hour_key(zip_code, NOON + timedelta(hours=hour))


def count(zip_code: str, hour: int, value: int) -> tuple[bytes, bytes]:
    """Return the record of a count."""
    return encode_key(key(zip_code, hour)), str(value).encode()


def send_counts(bootstrap_servers: str, *records: tuple[bytes, bytes | None]) -> None:
    """Append records to nest-camera-stats and wait until Kafka has them."""
    append(bootstrap_servers, CAMERA_STATS.name, *records)
