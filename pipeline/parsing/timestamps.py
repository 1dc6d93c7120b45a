"""Timestamps as the messages spell them: ISO 8601, kept to the microsecond in UTC."""

import re
from datetime import UTC, datetime, timedelta, timezone

_TIMESTAMP = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d(?::?[0-5]\d)?)?",
    re.ASCII,
)


def parse_timestamp(text: str) -> datetime | None:
    """Read ``YYYY-MM-DDThh:mm:ss``, up to nine fraction digits, ``Z``, an offset or none (UTC).

    The result is in UTC; digits after the microsecond are cut off. None for any other spelling.
    """
    match = _TIMESTAMP.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute, second = map(int, match.groups()[:6])
    fraction, zone = match.groups()[6:]
    microsecond = int((fraction or "").ljust(6, "0")[:6])
    try:
        moment = datetime(year, month, day, hour, minute, second, microsecond, _zone(zone))
        return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _zone(text: str | None) -> timezone:
    if text is None or text == "Z":
        return UTC
    digits = text[1:].replace(":", "").ljust(4, "0")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(-offset if text[0] == "-" else offset)
