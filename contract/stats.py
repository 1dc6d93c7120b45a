"""The records of ``nest-camera-stats``: one count per zip code and hour."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import orjson

from contract.instants import format_instant

UNPLACED = "unknown"
"""The zip code of sightings whose device has no known place."""


@dataclass(frozen=True, order=True)
class StatsKey:
    """A zip code and an hour, ``start`` included and ``end`` not, both in UTC."""

    zip_code: str
    start: datetime
    end: datetime


def hour_key(zip_code: str, start: datetime) -> StatsKey:
    """Return the key of a zip code and of the hour that begins at ``start``."""
    return StatsKey(zip_code, start, start + timedelta(hours=1))


def decode_key(key: bytes | None) -> StatsKey:
    """Read a record's key; ValueError with the reason if it is none."""
    try:
        document = orjson.loads(key or b"")
        window = document["window"]
        start, end = (datetime.fromisoformat(window[side]) for side in ("start", "end"))
        if start.tzinfo is None or end.tzinfo is None or not isinstance(document["zip_code"], str):
            raise TypeError("zip code is not text, or the window has no time zone")
        return StatsKey(document["zip_code"], start.astimezone(UTC), end.astimezone(UTC))
    except (ValueError, TypeError, KeyError, OverflowError) as error:
        raise ValueError(f"not a key of zip code and window: {error}") from None


def encode_key(key: StatsKey) -> bytes:
    """Write a key as the pipeline does: JSON without blanks, times in UTC with milliseconds."""
    window = {"start": format_instant(key.start), "end": format_instant(key.end)}
    return orjson.dumps({"zip_code": key.zip_code, "window": window})


def decode_count(value: bytes) -> int:
    """Read a record's value, decimal text; ValueError if it is none."""
    text = value.decode("ascii", errors="replace")
    # Spark counts in 64 bits, which hold any number of 18 digits.
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise ValueError(f"not a count: {text[:40]!r}")
    return int(text)
