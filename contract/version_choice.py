"""The version of a table that a person means: a number or a time, read before Spark starts."""

from datetime import datetime

from contract.errors import UserError
from contract.instants import parse_instant

VersionChoice = int | datetime
"""The number of a version, or a time in UTC, which means the version that was the newest then."""


def parse_version(as_of: str) -> VersionChoice:
    """Return a number, or a time (ISO 8601; UTC unless it has an offset) in UTC.

    Raises UserError for what is neither.
    """
    if as_of.isascii() and as_of.isdigit():
        return int(as_of)
    try:
        return parse_instant(as_of)
    except ValueError:
        raise UserError(
            f"--as-of {as_of} is neither a version nor a time. Write 12, or 2026-11-20T10:00:00Z."
        ) from None
