"""The headline of the page Proof."""

from datetime import UTC, datetime

import pytest

from contract.verdict import Comparison, Verdict
from dashboard.data.check_run import CheckRun
from dashboard.data.proof_headline import ProofHeadline, proof_headline

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
NO_RUN = CheckRun()


def completed(*holds: bool, values: int = 0) -> CheckRun:
    comparisons = [Comparison("x", "0", "0" if each else "1", each) for each in holds]
    return CheckRun(NOON, NOON, verdict=Verdict(comparisons, values=values))


@pytest.mark.parametrize(
    ("current", "last", "expected"),
    [
        (NO_RUN, NO_RUN, (0, "", "Nothing is proved yet", "none")),
        (CheckRun(NOON), completed(True, values=5), (0, "", "The check has begun", "busy")),
        (
            CheckRun(NOON, values=1234567),
            NO_RUN,
            (1234567, "1,234,567", "values compared so far", "busy"),
        ),
        (
            NO_RUN,
            completed(True, True, values=7_912_345),
            (7_912_345, "7.9 million", "values compared, 0 differ", "good"),
        ),
        (
            NO_RUN,
            completed(True, False, values=999_999),
            (999_999, "999,999", "values compared, 1 of the 2 lines below differs", "bad"),
        ),
        (NO_RUN, completed(True, True), (0, "", "all 2 comparisons hold", "good")),
        (NO_RUN, completed(False), (0, "", "1 of the 1 lines below differs", "bad")),
    ],
)
def test_the_headline_says_how_much_was_compared_and_whether_it_differs(
    current: CheckRun, last: CheckRun, expected: tuple
) -> None:
    assert proof_headline(current, last) == ProofHeadline(*expected)
