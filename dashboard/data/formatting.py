"""Numbers, times and durations as text for people."""

import re
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

_UNITS = ((86400, "day"), (3600, "h"), (60, "min"))
_WEEKDAY_IS_ENOUGH = timedelta(days=6)
"""An older time is named by its date."""


def format_number(value: int) -> str:
    """Write a whole number with a thousands separator: ``12,345``."""
    return f"{value:,}"


def format_millions(value: int) -> str:
    """Write a number as people say it: ``12,345``, ``7.9 million``."""
    return format_number(value) if value < 1_000_000 else f"{value / 1e6:,.1f} million"


def format_change(ratio: float) -> str:
    """Write a relative change, 0.1 for a tenth more: ``+12%``, ``-3.4%``."""
    return f"{ratio:+,.0%}" if abs(ratio) >= 0.1 else f"{ratio:+.1%}"


def format_rate(per_second: float | None, unit: str = "") -> str:
    """Write a rate: ``12,345/s``, ``3.2 counts/s``, or ``not yet`` before it is known."""
    if per_second is None:
        return "not yet"
    number = f"{per_second:,.0f}" if per_second >= 10 else f"{per_second:.1f}"
    return f"{number} {unit}".rstrip() + "/s"


def format_bytes(size: float) -> str:
    """Write a size in decimal units: ``640 B``, ``12.3 kB``, ``4.5 MB``."""
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:,.1f} TB"


def format_seconds(seconds: float) -> str:
    """Write a duration in its largest unit: ``0.8 s``, ``3 min``, ``2 h``, ``5 days``."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    for length, unit in _UNITS:
        if seconds >= 2 * length:
            return _with_unit(round(seconds / length), unit)
    return f"{seconds:.0f} s"


def format_latency(latency: timedelta) -> str:
    """Write how long something took: ``38 ms``, ``1.24 s``, and longer ones in their unit."""
    seconds = latency.total_seconds()
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    return f"{seconds:.2f} s" if seconds < 10 else format_seconds(seconds)


def format_age(age: timedelta) -> str:
    """Write how long ago something was, in the largest unit: ``3 min ago``."""
    seconds = int(age.total_seconds())
    if seconds < 5:
        return "just now"
    for length, unit in _UNITS:
        if seconds >= length:
            return f"{_with_unit(seconds // length, unit)} ago"
    return f"{seconds} s ago"


def _with_unit(value: int, unit: str) -> str:
    return f"{value} {unit}{'s' if unit == 'day' and value > 1 else ''}"


def format_day(local: datetime, now: datetime) -> str:
    """Write the day: ``Fri``, ``3 Nov`` of another week, or ``3 Nov 2025`` of another year."""
    if abs(now - local) < _WEEKDAY_IS_ENOUGH:
        return f"{local:%a}"
    date = f"{local.day} {local:%b}"
    this_year = now.astimezone(local.tzinfo).year
    return date if local.year == this_year else f"{date} {local.year}"


def format_time(instant: datetime, zone: tzinfo, now: datetime | None = None) -> str:
    """Write the time of day in a time zone, ``18:04:12``, with the date unless it is today.

    The year is there unless it is this one. ``now`` is what the clock says, unless it is given.
    """
    local, today = to_zone(instant, zone), (now or datetime.now(UTC)).astimezone(zone)
    if local.date() == today.date():
        return f"{local:%H:%M:%S}"
    year = "" if local.year == today.year else f" {local.year}"
    return f"{local:%a %d %b}{year}, {local:%H:%M:%S}"


def to_zone(instant: datetime, zone: tzinfo) -> datetime:
    """Return an instant in a time zone, or as it is where that is before year 1 or after 9999."""
    try:
        return instant.astimezone(zone)
    except OverflowError:
        return instant


def find_time_zone(name: str | None) -> ZoneInfo:
    """Return the time zone of that name; UTC for no name or one that is unknown here."""
    try:
        return ZoneInfo(name or "UTC")
    except (KeyError, ValueError, OSError):  # unknown, not a name at all, a folder of the database
        return ZoneInfo("UTC")


def escape_markdown(text: str) -> str:
    """Return text from outside so that Markdown shows it as it is, in one line."""
    return re.sub(r"([\\`*_{}\[\]()<>#+\-.!|$:~&])", r"\\\1", " ".join(text.split()))
