"""Instants as text: ISO 8601 in UTC with a ``Z``, the same in every topic, table and message."""

from datetime import UTC, datetime
from typing import Literal

Precision = Literal["seconds", "milliseconds", "microseconds"]


def format_instant(moment: datetime, precision: Precision = "milliseconds") -> str:
    """Write an instant as ``2026-11-20T10:00:00.000Z``; what is finer than ``precision`` is cut."""
    return moment.astimezone(UTC).isoformat(timespec=precision).replace("+00:00", "Z")
