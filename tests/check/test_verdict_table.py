"""A verdict as people see it."""

from io import StringIO

from rich.console import Console

from check import Comparison, Verdict
from check.verdict_table import verdict_table

HOLDS = Comparison("archive rows", "15 to 17", "16", True)
DIFFERS = Comparison(
    "archive values that differ",
    "0 of 450",
    "1",
    False,
    ["name: expected Hallway, found [red]x[/]"],
)


def shown(verdict: Verdict) -> str:
    console = Console(width=200, record=True, file=StringIO())
    console.print(verdict_table(verdict))
    return console.export_text()


def test_a_verdict_that_holds_is_shown_line_by_line_with_its_notes() -> None:
    text = shown(Verdict([HOLDS], ["distinct sightings: 4 on time"], []))
    assert "The check holds" in text
    assert [cell.strip() for cell in text.splitlines()[4].strip("│").split("│")] == [
        "archive rows",
        "15 to 17",
        "16",
        "holds",
    ]
    assert "distinct sightings: 4 on time" in text


def test_a_difference_is_shown_below_its_line_and_its_text_is_no_markup() -> None:
    text = shown(Verdict([HOLDS, DIFFERS], [], []))
    assert "The check does not hold" in text
    assert "differs" in text
    assert "name: expected Hallway, found [red]x[/]" in text
