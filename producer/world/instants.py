"""Moments as the Nest API writes them: ``2026-11-20T10:00:00.000Z``."""

from datetime import UTC, datetime
from functools import lru_cache

from producer.world.time_units import MINUTE, SECOND


@lru_cache(maxsize=1 << 14)
def _minute(number: int) -> str:
    return datetime.fromtimestamp(number * 60, UTC).strftime("%Y-%m-%dT%H:%M")


def instant(moment: int) -> str:
    """Write a moment in UTC with milliseconds; faster than datetime, as minutes repeat."""
    rest = moment % MINUTE
    return f"{_minute(moment // MINUTE)}:{rest // SECOND:02d}.{rest % SECOND:03d}Z"


def milliseconds(moment: datetime) -> int:
    """Return a moment in milliseconds since 1970; without time zone it is taken as UTC."""
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return round(moment.timestamp() * SECOND)
