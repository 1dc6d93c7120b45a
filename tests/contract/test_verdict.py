"""The verdict of the check, printed and read again."""

import json

import pytest

from contract.verdict import Comparison, InjectedDirt, Verdict, decode_verdict

HOLDS, DIFFERS = Comparison("a", "1", "1", True), Comparison("b", "1", "2", False, ["row 2"])


@pytest.mark.parametrize(
    ("comparisons", "holds"),
    [([HOLDS], True), ([HOLDS, DIFFERS], False), ([DIFFERS], False), ([], False)],
)
def test_it_holds_if_there_is_a_comparison_and_each_holds(
    comparisons: list[Comparison], holds: bool
) -> None:
    verdict = Verdict(comparisons)
    assert (verdict.holds, verdict.as_json()["holds"]) == (holds, holds)
    assert verdict.differing == [each for each in comparisons if each is DIFFERS]


def test_what_is_printed_is_read_as_it_was() -> None:
    verdict = Verdict([HOLDS, DIFFERS], ["a note"], [InjectedDirt("late", "counted", 3, 2)], 7)
    assert decode_verdict(json.dumps(verdict.as_json(), indent=2)) == verdict


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"comparisons": [{"what": "a"}]}'])
def test_anything_else_is_no_verdict(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        decode_verdict(text)
