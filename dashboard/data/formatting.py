"""Numbers, moments and durations as people read them."""

import re
from datetime import datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo


def number(value: int) -> str:
    """Write a whole number with its thousands apart: ``12,345``."""
    return f"{value:,}"


def counted(value: int, noun: str) -> str:
    """Write a number of things: ``1 record``, ``2,000 records``."""
    return f"{number(value)} {noun}{'' if value == 1 else 's'}"


def plain(text: str) -> str:
    """Return text from outside so that Markdown shows it as it is."""
    return re.sub(r"([\\`*_{}\[\]()<>#+\-.!|$:~&])", r"\\\1", text)


def ago(elapsed: timedelta) -> str:
    """Write how long ago something was, in its largest unit: ``3 min ago``."""
    seconds = int(elapsed.total_seconds())
    if seconds < 5:
        return "just now"
    for size, unit in ((86400, "day"), (3600, "h"), (60, "min")):
        if seconds >= size:
            amount = seconds // size
            return f"{amount} {unit}{'s' if unit == 'day' and amount > 1 else ''} ago"
    return f"{seconds} s ago"


def clock(moment: datetime, zone: tzinfo) -> str:
    """Write the time of day, with the date if that is not today: ``18:04:12``."""
    local = moment.astimezone(zone)
    today = datetime.now(zone).date()
    return f"{local:%H:%M:%S}" if local.date() == today else f"{local:%a %d %b, %H:%M:%S}"


def zone_named(name: str | None) -> ZoneInfo:
    """Return the viewer's time zone, or UTC where the browser tells none that is known here."""
    try:
        return ZoneInfo(name or "UTC")
    except (KeyError, ValueError, OSError):  # unknown, no name at all, a folder of the database
        return ZoneInfo("UTC")


def lasted(seconds: float) -> str:
    """Write a duration in its largest unit: ``0.8 s``, ``3 min``, ``2 h``, ``5 days``."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    for size, unit in ((86400, "day"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            amount = round(seconds / size)
            return f"{amount} {unit}{'s' if unit == 'day' else ''}"
    return f"{seconds:.0f} s"


def rate(per_second: float | None) -> str:
    """Write a rate: ``12,345/s``, ``3.2/s``, or ``not yet`` before it is known."""
    if per_second is None:
        return "not yet"
    return f"{per_second:,.0f}/s" if per_second >= 10 else f"{per_second:.1f}/s"


def size(octets: float) -> str:
    """Write a size: ``640 B``, ``12.3 kB``, ``4.5 MB``."""
    for unit in ("B", "kB", "MB", "GB"):
        if octets < 1000:
            return f"{octets:.0f} {unit}" if unit == "B" else f"{octets:.1f} {unit}"
        octets /= 1000
    return f"{octets:,.1f} TB"


def percent(share: float) -> str:
    """Write a change: ``+12%``, ``-3.4%``."""
    return f"{share:+.0%}" if abs(share) >= 0.1 else f"{share:+.1%}"
