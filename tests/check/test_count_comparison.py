"""Counts are compared by zip code and hour with the recount of committed and of all sightings."""

import pytest

from check.count_comparison import compare_counts
from check.sightings import HourCount

HOUR = 3_600_000_000
TEN = 1_795_168_800_000_000
KEY = ("94304", TEN, TEN + HOUR)
NAME = "94304 2026-11-20T10:00:00Z to 2026-11-20T11:00:00Z"


@pytest.mark.parametrize(
    ("found", "missing", "differing", "lacking"),
    [
        (2, [], [], []),
        (3, [], [], []),
        (1, [], [f"{NAME}: expected 2 to 3, found 1"], [f"{NAME}: 1 of 2"]),
        (4, [], [f"{NAME}: expected 2 to 3, found 4"], []),
        (None, [f"{NAME}: expected 2 to 3"], [], [f"{NAME}: 2 of 2"]),
    ],
)
def test_a_count_lies_between_committed_and_all_sightings(
    found: int | None, missing: list[str], differing: list[str], lacking: list[str]
) -> None:
    counts = {} if found is None else {KEY: found}
    comparison = compare_counts([HourCount("94304", TEN, 2, 3)], counts)
    assert comparison.missing.first_cases == missing
    assert comparison.differing.first_cases == differing
    assert comparison.lacking.first_cases == lacking
    assert (comparison.required, comparison.possible) == (1, 1)
    assert (comparison.sightings_required, comparison.sightings_possible) == (2, 3)
    assert comparison.sightings_found == (found or 0)


def test_a_count_without_committed_sightings_may_be_missing() -> None:
    comparison = compare_counts([HourCount("94304", TEN, 0, 3)], {})
    assert comparison.missing.count == comparison.lacking.count == 0
    assert (comparison.required, comparison.possible) == (0, 1)


def test_a_count_without_sightings_is_unexpected() -> None:
    comparison = compare_counts([], {KEY: 4})
    assert comparison.unexpected.first_cases == [f"{NAME}: expected none, found 4"]
    assert (comparison.found, comparison.possible, comparison.sightings_possible) == (1, 0, 0)


@pytest.mark.parametrize(
    ("found", "noted", "differing"),
    [
        (3, [], []),
        (5, [f"{NAME}: expected at most 3, found 5"], []),
        (1, [], [f"{NAME}: expected 2 to 3, found 1"]),
    ],
)
def test_a_count_in_a_zip_code_of_a_forgotten_camera_may_be_too_high_and_not_too_low(
    found: int, noted: list[str], differing: list[str]
) -> None:
    comparison = compare_counts([HourCount("94304", TEN, 2, 3)], {KEY: found}, {"94304"})
    assert comparison.unexplained.first_cases == noted
    assert comparison.differing.first_cases == differing
    assert (comparison.possible, comparison.sightings_possible) == (1, max(3, found))


def test_a_count_that_only_a_forgotten_camera_may_have_is_possible() -> None:
    elsewhere = ("01002", TEN, TEN + HOUR)
    comparison = compare_counts([], {KEY: 4, elsewhere: 7}, {"94304"})
    assert comparison.unexplained.first_cases == [f"{NAME}: expected at most 0, found 4"]
    assert comparison.unexplained.count == 4
    assert comparison.unexpected.count == 1
    assert (comparison.found, comparison.possible, comparison.sightings_possible) == (2, 1, 4)


@pytest.mark.parametrize(
    ("key", "count"),
    [
        (("94304", TEN, TEN + 2 * HOUR), 4),
        (("94304", TEN + HOUR // 2, TEN + HOUR + HOUR // 2), 4),
        (KEY, 0),
    ],
    ids=["two hours", "half past", "nothing counted"],
)
def test_what_no_sighting_can_have_made_is_unexpected_in_every_zip_code(
    key: tuple[str, int, int], count: int
) -> None:
    comparison = compare_counts([], {key: count}, {"94304"})
    assert comparison.unexpected.count == 1
    assert comparison.unexplained.count == 0
