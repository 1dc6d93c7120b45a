"""What a forgotten home has left in the topics is right, also when its messages are gone.

Wrong counts of other homes, and those that nothing excuses, are found as before.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from check import Verdict, run_check
from tests.check.test_run import TEN, remove_records
from tests.check.verdicts import failing, found
from tests.sample.small_run import SmallRun, small_run

pytestmark = pytest.mark.kafka

ELEVEN = ("11:00:00", "12:00:00")
ALL_OF_B1 = {1: 3}
"""The partition that has the records of the cameras b1 and b2, and its end."""
ALL_OF_C1 = {2: 3}
COUNT_LINES = {"counts (zip code and hour)", "counts that no sighting has", "sightings counted"}
"""What does not hold if nothing explains the count of a zip code and hour."""
SIGHTING_LINES = {
    "sightings in nest-sightings",
    "sightings in nest-sightings that do not count",
}
CheckAfterRemoval = Callable[..., Verdict]


def run_without(*devices: str, forgotten: tuple[str, ...] = ()) -> SmallRun:
    """A run whose lake has nothing of some cameras, which are forgotten unless others are."""
    run = small_run()
    run.forgotten = [*(forgotten or devices)]
    run.archive = [row for row in run.archive if row["device_id"] not in devices]
    run.quarantine = [
        row
        for row in run.quarantine
        if not any(f'"{device}"' in str(row["raw"]) for device in devices)
    ]
    run.sightings = [
        ("a1", "10:04:50", "94304"),
        ("a1", "10:49:00", "94304"),
        ("b1", "10:29:59.5", "01002"),
        ("c1", "11:00:00", "unknown"),
    ]
    run.committed["sightings"] = run.ends()
    return run


@pytest.fixture
def check_after_removal(fresh_topics: str, tmp_path: Path) -> CheckAfterRemoval:
    """Check a run of which records were removed from nest-logs."""

    def check(run: SmallRun, removed: dict[int, int], *, sightings: bool = True) -> Verdict:
        settings = run.write(fresh_topics, tmp_path)
        remove_records(fresh_topics, removed)
        return run_check(settings.model_copy(update={"sightings": sightings}))

    return check


@pytest.mark.parametrize("removed", [ALL_OF_B1, {1: 1}], ids=["all", "those in time"])
def test_nest_sightings_explains_both_topics_where_a_forgotten_cameras_records_are_gone(
    check_after_removal: CheckAfterRemoval, removed: dict[int, int]
) -> None:
    verdict = check_after_removal(run_without("b1"), removed)
    assert failing(verdict) == {}
    assert found(verdict, "sightings counted") == "4"
    assert (
        "sightings of forgotten cameras that only nest-sightings still has: 1; they may explain "
        "counts"
    ) in verdict.notes


def test_it_makes_no_difference_how_many_sightings_are_kept_in_memory(
    check_after_removal: CheckAfterRemoval, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("check.sightings._MOST_UNWRITTEN", 1)
    run = run_without("b1", "c1")
    run.sightings += [("c1", f"11:00:0{second}", "unknown") for second in range(1, 6)]
    run.sightings += run.sightings
    run.counts.append((("unknown", *ELEVEN), 6))
    verdict = check_after_removal(run, ALL_OF_B1 | ALL_OF_C1)
    assert failing(verdict) == {}
    assert "sightings of forgotten cameras that only nest-sightings still has: 7" in "\n".join(
        verdict.notes
    )


def test_a_forgotten_camera_whose_records_are_gone_excuses_no_higher_count_than_its_sightings(
    check_after_removal: CheckAfterRemoval,
) -> None:
    run = run_without("b1")
    run.counts.append((("01002", *TEN), 2))
    examples = failing(check_after_removal(run, ALL_OF_B1))
    assert set(examples) == {"counts that differ", "sightings counted"}
    assert "expected 0 to 1, found 2" in examples["counts that differ"]


def test_a_sighting_of_a_forgotten_camera_must_have_its_cameras_zip_code(
    check_after_removal: CheckAfterRemoval,
) -> None:
    run = run_without("b1")
    run.sightings[2] = ("b1", "10:29:59.5", "94304")
    examples = failing(check_after_removal(run, ALL_OF_B1))
    assert set(examples) == {"zip codes that differ in nest-sightings"}


def test_nothing_is_excused_of_a_camera_that_was_not_forgotten(
    check_after_removal: CheckAfterRemoval,
) -> None:
    run = run_without("b1", forgotten=("a9", "home9"))
    assert set(failing(check_after_removal(run, ALL_OF_B1))) == COUNT_LINES | SIGHTING_LINES


def test_nothing_is_excused_of_a_forgotten_camera_whose_records_are_there(
    check_after_removal: CheckAfterRemoval,
) -> None:
    run = run_without("b1")
    run.sightings.append(("b1", "11:10:00", "01002"))
    run.counts.append((("01002", *ELEVEN), 1))
    assert set(failing(check_after_removal(run, {}))) == COUNT_LINES | SIGHTING_LINES


def test_without_nest_sightings_a_count_that_is_too_high_is_noted(
    check_after_removal: CheckAfterRemoval,
) -> None:
    run = run_without("b1")
    run.counts.append((("01002", *TEN), 2))
    verdict = check_after_removal(run, ALL_OF_B1, sightings=False)
    assert failing(verdict) == {}
    assert (
        "sightings in counts that nothing explains, in zip codes of forgotten cameras: 2. "
        "NEST_SIGHTINGS is off, else nest-sightings could tell whether they are theirs: "
        "01002 2026-11-20T10:00:00Z to 2026-11-20T11:00:00Z: expected at most 0, found 2"
    ) in verdict.notes


def test_without_nest_sightings_a_forgotten_camera_without_a_place_may_explain_unknown(
    check_after_removal: CheckAfterRemoval,
) -> None:
    verdict = check_after_removal(run_without("c1"), ALL_OF_C1, sightings=False)
    assert failing(verdict) == {}
    assert "unknown 2026-11-20T11:00:00Z to 2026-11-20T12:00:00Z: expected at most 0, found 1" in (
        "\n".join(verdict.notes)
    )


def test_without_nest_sightings_nothing_is_excused_of_a_camera_that_was_not_forgotten(
    check_after_removal: CheckAfterRemoval,
) -> None:
    run = run_without("b1")
    run.counts += [(("94304", *ELEVEN), 1), (("95000", *TEN), 1), (("unknown", *TEN), 1)]
    examples = failing(check_after_removal(run, ALL_OF_B1, sightings=False))
    assert set(examples) == COUNT_LINES
    for zip_code in ("94304", "95000", "unknown"):
        assert zip_code in examples["counts that no sighting has"]
    assert "01002" not in examples["counts that no sighting has"]


def test_without_nest_sightings_nothing_is_excused_where_no_record_is_gone(
    check_after_removal: CheckAfterRemoval,
) -> None:
    run = run_without("b1")
    run.counts.append((("01002", *TEN), 2))
    examples = failing(check_after_removal(run, {}, sightings=False))
    assert set(examples) == {"counts that differ", "sightings counted"}
    assert "expected 1, found 2" in examples["counts that differ"]
