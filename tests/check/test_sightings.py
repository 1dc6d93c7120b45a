"""A sighting counts as soon as one record that carries it is on time, once and in its hour."""

from contextlib import closing
from pathlib import Path

import pytest

from check.sightings import HourCount, Outcome, Sightings, outcome_of

MINUTE = 60_000_000
HOUR = 60 * MINUTE
START = 1_795_168_800_000_000


@pytest.mark.parametrize(
    ("after_start", "outcome"),
    [
        (-5 * MINUTE - 1, Outcome.FUTURE),
        (-5 * MINUTE, Outcome.COUNTED),
        (0, Outcome.COUNTED),
        (HOUR, Outcome.COUNTED),
        (HOUR + 1, Outcome.TOO_LATE),
    ],
)
def test_both_limits_of_on_time_are_inclusive(after_start: int, outcome: Outcome) -> None:
    assert outcome_of(START + after_start, START, 5 * MINUTE, HOUR) is outcome


def test_the_best_outcome_of_all_records_holds_committed_or_not(tmp_path: Path) -> None:
    with closing(Sightings(tmp_path)) as sightings:
        sightings.add("d1", START, Outcome.TOO_LATE, True)
        sightings.add("d1", START, Outcome.COUNTED, False)
        sightings.add("d2", START + 5, Outcome.COUNTED, True)
        sightings.flush()
        sightings.add("d2", START + 5, Outcome.FUTURE, True)
        sightings.add("d3", START + HOUR, Outcome.COUNTED, True)
        sightings.add("d4", START, Outcome.FUTURE, True)
        sightings.flush()
        sightings.add_locations([("d1", "94304"), ("d2", "94304"), ("d3", "")])
        assert list(sightings.hour_counts()) == [
            HourCount("94304", START, required=1, possible=2),
            HourCount("unknown", START + HOUR, required=1, possible=1),
        ]
        assert sightings.count_unplaced() == 1
        assert sightings.count_outcomes() == {
            Outcome.COUNTED: 3,
            Outcome.TOO_LATE: 0,
            Outcome.FUTURE: 1,
            Outcome.NOT_COMMITTED: 0,
        }


def test_a_removed_record_can_only_explain_what_is_there(tmp_path: Path) -> None:
    with closing(Sightings(tmp_path)) as sightings:
        sightings.add("d1", START, Outcome.COUNTED, True)
        sightings.add_expired("d1", START, Outcome.COUNTED)
        sightings.add_expired("d1", START + 1, Outcome.COUNTED)
        sightings.add_expired("d1", START + 2, Outcome.TOO_LATE)
        sightings.flush()
        assert list(sightings.hour_counts()) == [
            HourCount("unknown", START, required=1, possible=2)
        ]
        assert sightings.count_outcomes()[Outcome.COUNTED] == 1
