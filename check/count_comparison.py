"""Compare the counts of nest-camera-stats with the recount of the sightings."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from check.counted_cases import CountedCases
from check.rules.instants import HOUR
from check.sightings import HourCount
from check.topics import CountKey, format_key


@dataclass
class CountComparison:
    """What the comparison found; a count belongs to a key: a zip code and hour."""

    required: int = 0
    """Counts that must be there, because sightings of theirs are committed."""
    possible: int = 0
    """Counts that may be there."""
    found: int = 0
    """Counts that the topic has."""
    missing: CountedCases = field(default_factory=CountedCases)
    differing: CountedCases = field(default_factory=CountedCases)
    unexpected: CountedCases = field(default_factory=CountedCases)
    lacking: CountedCases = field(default_factory=CountedCases)
    """Sightings that the missing and too low counts lack."""
    unexplained: CountedCases = field(default_factory=CountedCases)
    """Sightings that nothing explains in counts that may have those of forgotten cameras."""
    sightings_required: int = 0
    """Sightings that the recount finds up to what the stats query has committed."""
    sightings_possible: int = 0
    """Sightings that the counts may add up to."""
    sightings_found: int = 0
    """Sightings that the topic's counts add up to."""


def compare_counts(
    recount: Iterable[HourCount],
    found: dict[CountKey, int],
    of_forgotten: Collection[str] = frozenset(),
) -> CountComparison:
    """Compare key by key: a count lies between what is committed and what can be explained.

    Sightings are explained by the topic and, where retention has removed records of nest-logs, by
    the archive's rows of these records, or nest-sightings. A count in a zip code ``of_forgotten``
    may be higher: it may have sightings of cameras that were forgotten and of which nothing tells
    any more.
    """
    comparison = CountComparison(found=len(found), sightings_found=sum(found.values()))
    unexpected = dict(found)
    for zip_code, start, required, possible in recount:
        key = (zip_code, start, start + HOUR)
        count = unexpected.pop(key, None)
        comparison.sightings_required += required
        comparison.sightings_possible += possible
        comparison.required += required > 0
        comparison.possible += 1
        expected = f"{required}" if required == possible else f"{required} to {possible}"
        if count is None:
            if required:
                comparison.missing.add(f"{format_key(key)}: expected {expected}")
        elif count > possible and zip_code in of_forgotten:
            _add_unexplained(comparison, key, count, possible)
        elif not required <= count <= possible:
            comparison.differing.add(f"{format_key(key)}: expected {expected}, found {count}")
        lacking = required - (count or 0)
        if lacking > 0:
            comparison.lacking.add(f"{format_key(key)}: {lacking} of {required}", lacking)
    for key, count in unexpected.items():
        zip_code, start, end = key
        is_of_an_hour = start % HOUR == 0 and end - start == HOUR
        if count and is_of_an_hour and zip_code in of_forgotten:
            comparison.possible += 1
            _add_unexplained(comparison, key, count, 0)
        else:
            comparison.unexpected.add(f"{format_key(key)}: expected none, found {count}")
    return comparison


def _add_unexplained(
    comparison: CountComparison, key: CountKey, count: int, explained: int
) -> None:
    """Allow a count that is too high, and keep it for a note."""
    excess = count - explained
    comparison.sightings_possible += excess
    comparison.unexplained.add(
        f"{format_key(key)}: expected at most {explained}, found {count}", excess
    )
