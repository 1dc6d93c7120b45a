"""Hold the counts of nest-camera-stats against the recount of the sightings."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from check.difference import Examples
from check.instants import HOUR
from check.sightings import HourCount
from check.topics import CountKey, show_key


@dataclass
class CountTally:
    """What the comparison of the counts has come to; numbers of zip codes and hours."""

    must: int = 0
    """Keys that must be there, their sightings being committed."""
    may: int = 0
    """Keys that may be there: the recount up to the topic's end has them."""
    there: int = 0
    missing: Examples = field(default_factory=Examples)
    differing: Examples = field(default_factory=Examples)
    false: Examples = field(default_factory=Examples)
    dropped: Examples = field(default_factory=Examples)
    """Sightings, not keys: how many the counts fall short by."""
    first: int = 0
    second: int = 0
    """Sightings counted by the recount up to the two ends."""
    found: int = 0
    """Sightings that the topic's counts add up to."""


def compare_counts(
    recount: Iterable[HourCount], found: dict[CountKey, int], aged_out: bool
) -> CountTally:
    """Compare key by key: each count lies between the recounts up to the two ends.

    Where records are gone from nest-logs (``aged_out``), counts can be too low but not too high.
    """
    tally = CountTally(there=len(found), found=sum(found.values()))
    left = dict(found)
    for zip_code, start, low, high in recount:
        key = (zip_code, start, start + HOUR)
        count = left.pop(key, None)
        tally.first += low
        tally.second += high
        tally.must += low > 0
        tally.may += 1
        expected = f"{low}" if low == high else f"{low} to {high}"
        if count is None:
            if low:
                tally.missing.add(f"{show_key(key)}: expected {expected}")
        elif count < low or (count > high and not aged_out):
            tally.differing.add(f"{show_key(key)}: expected {expected}, found {count}")
        short = low - (count or 0)
        if short > 0:
            tally.dropped.add(f"{show_key(key)}: {short} of {low}", short)
    if not aged_out:
        for key, count in left.items():
            tally.false.add(f"{show_key(key)}: expected none, found {count}")
    return tally
