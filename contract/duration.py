"""Durations as people and Spark write them: ``1 hour``, ``90 seconds``, ``500 milliseconds``."""

import re
from datetime import timedelta
from typing import Annotated

from pydantic import BeforeValidator, PlainSerializer

_UNITS = {
    "millisecond": timedelta(milliseconds=1),
    "second": timedelta(seconds=1),
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
}
_LONGEST = timedelta(days=3653)
_PART = re.compile(r"(\d+(?:\.\d+)?)\s*(millisecond|second|minute|hour|day)s?\s*")


def whole_hours(duration: timedelta) -> int:
    """Return a duration in hours, rounded up."""
    return -(-duration // timedelta(hours=1))


def parse_duration(text: str) -> timedelta:
    """Read ``1 hour 30 minutes`` as a timedelta.

    Raises ValueError, with what a duration looks like, for text that is none, and for more than ten
    years: dates and clocks come to their ends with such.
    """
    total, rest = timedelta(), text.strip()
    parts = list(_PART.finditer(rest))
    if not parts or "".join(part.group(0) for part in parts) != rest:
        raise ValueError(f"{text!r} is not a duration; write for example '1 hour' or '90 seconds'")
    try:
        for part in parts:
            total += float(part.group(1)) * _UNITS[part.group(2)]
    except OverflowError:
        total = timedelta.max
    if total > _LONGEST:
        raise ValueError(f"{text!r} is too long; write at most '{_LONGEST.days} days'")
    return total


def format_duration(duration: timedelta) -> str:
    """Write a duration the way Spark and :func:`parse_duration` read it, in a whole unit."""
    for name, unit in reversed(_UNITS.items()):
        if duration and duration % unit == timedelta():
            count = duration // unit
            return f"{count} {name}{'' if count == 1 else 's'}"
    return f"{duration // _UNITS['millisecond']} milliseconds"


def _parse_text(value: object) -> object:
    """Read a text as a duration, and leave what is none to the type check."""
    return parse_duration(value) if isinstance(value, str) else value


Duration = Annotated[
    timedelta, BeforeValidator(_parse_text), PlainSerializer(format_duration, return_type=str)
]
