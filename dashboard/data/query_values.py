"""What the values in an address mean: whole numbers, instants and zip codes."""

from collections.abc import Collection, Iterable
from datetime import UTC, datetime

from contract.errors import UserError
from contract.instants import parse_instant
from contract.stats import UNPLACED

FIRST_INSTANT = datetime(1970, 1, 2, tzinfo=UTC)
LAST_INSTANT = datetime(9999, 12, 30, tzinfo=UTC)
"""A viewer can choose instants between these, which every time zone can show."""
INSTANT = f"a time between {FIRST_INSTANT.year} and {LAST_INSTANT.year}, such as 2026-11-20T10:00Z"
"""What an instant in the address has to be, for people."""
HIGHEST_NUMBER = 999_999_999
"""What a number in the address may be, if nothing else is said."""


class UnusableQueryError(UserError):
    """The query of an address cannot be used."""


def whole_number_up_to(highest: int) -> str:
    """Return what a number in the address has to be, for people."""
    return f"a whole number from 0 to {highest:,}"


WHOLE_NUMBER = whole_number_up_to(HIGHEST_NUMBER)


def whole_number(text: str, highest: int = HIGHEST_NUMBER) -> int | None:
    """Return a value as a whole number from 0 to ``highest``; None if it is none."""
    is_short = text.isascii() and text.isdigit() and len(text) <= len(str(highest))
    return int(text) if is_short and int(text) <= highest else None


def instant(text: str) -> datetime | None:
    """Return a value as an instant in UTC; None if it is none.

    The value is ISO 8601, from ``FIRST_INSTANT`` to ``LAST_INSTANT``; without an offset it is in
    UTC.
    """
    try:
        parsed = parse_instant(text)
    except ValueError:
        return None
    return parsed if FIRST_INSTANT <= parsed <= LAST_INSTANT else None


def has_unknown_zip_code(chosen: Iterable[str], known: Collection[str]) -> bool:
    """Tell whether a chosen zip code is not a known one; False where none is known."""
    return bool(known) and not {*chosen} <= {*known, UNPLACED}


def instant_text(value: datetime) -> str:
    """Return an instant as an address has it, in UTC to the minute."""
    return f"{value.astimezone(UTC):%Y-%m-%dT%H:%MZ}"
