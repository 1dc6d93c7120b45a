"""The rule that says which records are on time, as limits in microseconds."""

from datetime import timedelta
from typing import NamedTuple

from contract.settings import Settings

_MICROSECOND = timedelta(microseconds=1)


class OnTime(NamedTuple):
    """Limits of record timestamp minus ``start_time`` in µs, both inclusive."""

    least: int
    most: int


def on_time_limits(settings: Settings) -> OnTime:
    """Return the limits that ``NEST_CLOCK_SKEW`` and ``NEST_LATENESS`` set."""
    return OnTime(-(settings.clock_skew // _MICROSECOND), settings.lateness // _MICROSECOND)
