"""Instants in milliseconds since 1970, as Kafka's timestamps are, and as the Nest API writes them.

``contract.instants`` writes the same text from a datetime. The world's instants are integers, a few
new ones for each message, and by way of a datetime each would take three times as long.
"""

from datetime import UTC, datetime
from functools import lru_cache

from producer.world.time_units import MINUTE, SECOND


@lru_cache(maxsize=1 << 14)
def _minute(number: int) -> str:
    return datetime.fromtimestamp(number * 60, UTC).strftime("%Y-%m-%dT%H:%M")


def format_epoch_ms(moment: int) -> str:
    """Write an instant as ``2026-11-20T10:00:00.000Z``; minutes repeat, so they are cached."""
    rest = moment % MINUTE
    return f"{_minute(moment // MINUTE)}:{rest // SECOND:02d}.{rest % SECOND:03d}Z"
