"""Moments as the Nest API writes them: ``2026-11-20T10:00:00.000Z``."""

from datetime import UTC, datetime
from functools import lru_cache

from producer.rhythm import HOUR, SECOND


@lru_cache(maxsize=4096)
def _hour(number: int) -> str:
    return datetime.fromtimestamp(number * 3600, UTC).strftime("%Y-%m-%dT%H")


def instant(moment: int) -> str:
    """Write a moment in UTC with milliseconds; faster than datetime, as hours repeat."""
    hour, rest = divmod(moment, HOUR)
    minute, rest = divmod(rest, 60 * SECOND)
    return f"{_hour(hour)}:{minute:02d}:{rest // SECOND:02d}.{rest % SECOND:03d}Z"


def milliseconds(moment: datetime) -> int:
    """Return a moment in milliseconds since 1970; without time zone it is taken as UTC."""
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return round(moment.timestamp() * SECOND)
