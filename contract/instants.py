"""Instants as text, and as the milliseconds of a record's timestamp.

The text is ISO 8601 in UTC with a ``Z``, the same in every topic, table and message.
"""

from datetime import UTC, datetime, timedelta
from typing import Literal

Precision = Literal["seconds", "milliseconds", "microseconds"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST = datetime.min.replace(tzinfo=UTC)
_LAST = datetime.max.replace(tzinfo=UTC)


def format_instant(moment: datetime, precision: Precision = "milliseconds") -> str:
    """Write an instant as ``2026-11-20T10:00:00.000Z``; what is finer than ``precision`` is cut."""
    return moment.astimezone(UTC).isoformat(timespec=precision).replace("+00:00", "Z")


def format_hour(start: datetime, end: datetime) -> str:
    """Write the span of an hour for people, as ``2026-11-20 10:00 to 11:00``, in its time zone."""
    return f"{start:%Y-%m-%d %H:%M} to {end:%H:%M}"


def parse_instant(text: str) -> datetime:
    """Return what a person has written, ISO 8601, in UTC; without an offset it is meant in UTC.

    Raises ValueError if it is no time, or one that UTC's calendar does not have.
    """
    moment = datetime.fromisoformat(text)
    return in_utc(moment.replace(tzinfo=moment.tzinfo or UTC))


def in_utc(moment: datetime) -> datetime:
    """Return an instant in UTC; ValueError if it is one that UTC's calendar does not have."""
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError(f"{moment.isoformat()} is not in the years 1 to 9999 in UTC") from None


def add_within_calendar(moment: datetime, by: timedelta) -> datetime:
    """Return the instant (UTC) that is so much later; at most the ends of the calendar."""
    try:
        return moment + by
    except OverflowError:
        return _FIRST if by < timedelta() else _LAST


def whole_hour(moment: datetime) -> datetime:
    """Return the instant at which the hour of another one begins, in the same time zone."""
    return moment.replace(minute=0, second=0, microsecond=0)


def from_epoch_ms(milliseconds: int) -> datetime:
    """Return the instant (UTC) that is so many milliseconds after 1970.

    A record's timestamp may be any 64-bit number. One before year 1 becomes ``datetime.min``, one
    after year 9999 ``datetime.max``, both in UTC.
    """
    try:
        return _EPOCH + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return _FIRST if milliseconds < 0 else _LAST


def to_epoch_ms(moment: datetime) -> int:
    """Return an instant in milliseconds since 1970; without time zone it is taken as UTC."""
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return round(moment.timestamp() * 1000)
