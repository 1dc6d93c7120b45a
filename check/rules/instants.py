"""Instants as whole microseconds since 1970, UTC."""

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache

HOUR = 3_600_000_000
"""Microseconds."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_MILLISECONDS_TO_YEAR_10000 = 253_402_300_800_000
_YEAR_1 = (datetime(1, 1, 1, tzinfo=UTC) - _EPOCH) // _MICROSECOND
_ISO_8601 = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?"
    r"(?:Z|([+-])(\d\d)(?::?(\d\d))?)?",
    re.ASCII,
)


@lru_cache(maxsize=100_000)
def parse_instant(text: str) -> int | None:
    """Parse the one spelling of a timestamp that the design knows; None for any other.

    ``YYYY-MM-DDThh:mm:ss``, up to nine fraction digits (cut to microseconds), then ``Z``, an offset
    or nothing, which is UTC. The instant lies in the years 1 to 9999, in UTC too.
    """
    match = _ISO_8601.fullmatch(text)
    if match is None:
        return None
    *date_and_time, fraction, sign, hours, minutes = match.groups()
    try:
        moment = datetime(*map(int, date_and_time), tzinfo=UTC)  # type: ignore[misc, arg-type]
        if sign:
            if int(hours) > 23 or int(minutes or 0) > 59:
                return None
            offset = timedelta(hours=int(hours), minutes=int(minutes or 0))
            moment += -offset if sign == "+" else offset
    except (ValueError, OverflowError):
        return None
    return (moment - _EPOCH) // _MICROSECOND + int((fraction or "0").ljust(9, "0")) // 1000


def format_instant(instant: int) -> str:
    """Return an instant as ISO 8601 in UTC; outside the years 1 to 9999 as a number of µs."""
    try:
        text = (_EPOCH + instant * _MICROSECOND).isoformat()
    except OverflowError:
        return f"{instant} µs"
    return text.replace("+00:00", "Z")


def is_in_calendar(instant: int) -> bool:
    """Tell whether an instant lies in the years 1 to 9999, UTC."""
    return _YEAR_1 <= instant < _MILLISECONDS_TO_YEAR_10000 * 1000


def record_timestamp(milliseconds: int | None) -> int | None:
    """Return a record's timestamp in µs since 1970; None if it is not in the years 1970 to 9999.

    Takes it as Kafka has it: any whole number of 64 bits, in ms since 1970.
    """
    if milliseconds is None or not 0 <= milliseconds < _MILLISECONDS_TO_YEAR_10000:
        return None
    return milliseconds * 1000


def micros(duration: timedelta) -> int:
    """Return a duration's microseconds."""
    return duration // _MICROSECOND
