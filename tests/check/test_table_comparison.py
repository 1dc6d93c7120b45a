"""The rows of a record are compared in any order, and a wrong row is counted as one fault."""

from typing import Any

import pytest

from check.rules.columns import QUARANTINE_COLUMNS
from check.rules.detail import Detail
from check.rules.entries import Entries
from check.rules.expected_record import Row
from check.rules.matchers import HiddenText, JsonText, RawText
from check.table_comparison import TableComparison


def detail(name: str) -> Detail:
    entries = Entries()
    entries.add(name)
    return Detail(entries)


SENT = 1_795_168_800_000_000
RAW = RawText(b"{}")
CAMERA: Row = (SENT, "camera", detail("k0"), RAW)
FIELD: Row = (SENT, "field", detail("d1: name"), RAW)
STORED_CAMERA: Row = (SENT, "camera", "k0", "{}")
STORED_FIELD: Row = (SENT, "field", "d1: name", "{}")
AT = "partition 1 offset 7 reason"


def compared(stored: list[Row], *, is_committed: bool = True) -> TableComparison:
    comparison = TableComparison(QUARANTINE_COLUMNS, "reason")
    comparison.compare_record((1, 7), [CAMERA, FIELD], stored, is_committed=is_committed)
    return comparison


def faults(comparison: TableComparison) -> dict[str, list[str]]:
    kinds: dict[str, Any] = {
        "missing": comparison.missing,
        "doubled": comparison.doubled,
        "unexpected": comparison.unexpected,
        "differing": comparison.differing,
    }
    return {kind: cases.first_cases for kind, cases in kinds.items() if cases.count}


@pytest.mark.parametrize("stored", [[STORED_CAMERA, STORED_FIELD], [STORED_FIELD, STORED_CAMERA]])
def test_the_order_of_a_records_rows_does_not_matter(stored: list[Row]) -> None:
    comparison = compared(stored)
    assert faults(comparison) == {}
    assert (comparison.required, comparison.possible, comparison.found) == (2, 2, 2)
    assert comparison.values == 8


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        ([STORED_CAMERA], {"missing": [f"{AT} field"]}),
        ([STORED_CAMERA, STORED_FIELD, STORED_FIELD], {"doubled": [f"{AT} field"]}),
        (
            [STORED_CAMERA, (SENT, "field", "d1: names", "{}")],
            {"differing": [f"{AT} field detail: expected 'd1: name', found d1: names"]},
        ),
        (
            [STORED_CAMERA, STORED_FIELD, (SENT, "future", "d1", "{}")],
            {"unexpected": [f"{AT} future"]},
        ),
        (
            [STORED_CAMERA, (0, "future", "d1", "{}")],
            {"missing": [f"{AT} field"], "unexpected": [f"{AT} future"]},
        ),
    ],
    ids=["missing", "doubled", "differing", "one too many", "too different"],
)
def test_a_wrong_row_is_named(stored: list[Row], expected: dict[str, list[str]]) -> None:
    assert faults(compared(stored)) == expected


def test_rows_of_a_record_that_is_not_committed_may_be_missing() -> None:
    comparison = compared([STORED_FIELD], is_committed=False)
    assert faults(comparison) == {}
    assert (comparison.required, comparison.possible, comparison.found) == (0, 2, 1)


def test_rows_at_a_position_without_a_record_are_unexpected() -> None:
    comparison = TableComparison(QUARANTINE_COLUMNS, "reason")
    comparison.add_unexpected({(1, 7): [STORED_CAMERA], (None, None): [STORED_FIELD]})
    assert faults(comparison) == {
        "unexpected": [f"{AT} camera", "partition None offset None reason field"]
    }
    assert comparison.found == 2


class CountingText(RawText):
    """A value with several spellings that counts how often it is compared."""

    comparisons = 0

    def matches(self, stored: object) -> bool:
        CountingText.comparisons += 1
        return super().matches(stored)


def test_tens_of_thousands_of_rows_in_any_order_take_linear_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(CountingText, "comparisons", 0)
    numbers = range(20_000)
    expected: list[Row] = [(SENT, f"d{n}", None, CountingText(b"x")) for n in numbers]
    stored: list[Row] = [(SENT, f"d{n}", None, "x") for n in reversed(numbers)]
    comparison = TableComparison(QUARANTINE_COLUMNS, "reason")
    comparison.compare_record((1, 7), expected, stored, is_committed=True)
    assert faults(comparison) == {}
    assert CountingText.comparisons <= 2 * len(numbers)

    comparison = TableComparison(QUARANTINE_COLUMNS, "reason")
    wrong: list[Row] = [(SENT, f"d{n}", "?", "x") for n in reversed(numbers[:500])]
    comparison.compare_record((1, 7), expected, wrong, is_committed=True)
    assert comparison.differing.count + comparison.unexpected.count >= 500
    assert comparison.missing.count + comparison.differing.count >= len(numbers)


@pytest.mark.parametrize(
    ("expected", "stored"),
    [
        (JsonText, str),
        (lambda n: (("zone", JsonText(n)), None), lambda n: (("zone", str(n)), None)),
        (lambda n: HiddenText(f"{n}?secret"), lambda n: f"{n}?***"),
    ],
    ids=["numbers", "numbers in a list", "texts with a credential"],
)
def test_values_with_several_spellings_are_found_by_the_usual_one(
    monkeypatch: pytest.MonkeyPatch, expected: Any, stored: Any
) -> None:
    comparisons = []
    for kind in (JsonText, HiddenText):
        monkeypatch.setattr(kind, "matches", lambda *compared: comparisons.append(compared))
    numbers = range(20_000)
    comparison = TableComparison(QUARANTINE_COLUMNS, "reason")
    comparison.compare_record(
        (1, 7),
        [(SENT, "d", None, expected(n)) for n in numbers],
        [(SENT, "d", None, stored(n)) for n in reversed(numbers)],
        is_committed=True,
    )
    assert faults(comparison) == {}
    assert comparisons == []


def test_other_spellings_are_found_beside_the_usual_ones() -> None:
    values = [JsonText(1.5), JsonText(1.5), JsonText(True), JsonText({"a": 1})]
    expected = [(SENT, "d", None, value) for value in values]
    spelled = ["1.50", "1.5", " true", '{"a" : 1.0}']
    comparison = TableComparison(QUARANTINE_COLUMNS, "reason")
    stored = [(SENT, "d", None, text) for text in reversed(spelled)]
    comparison.compare_record((1, 7), expected, stored, is_committed=True)
    assert faults(comparison) == {}
    comparison.compare_record((1, 8), expected, [*stored, stored[0]], is_committed=True)
    assert comparison.doubled.count + comparison.unexpected.count == 1
