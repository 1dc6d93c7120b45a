"""Text cells of CSV files are no formulas."""

import csv
import io

import pytest

from contract.csv_text import csv_text


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "=", "-", "-é"])
def test_text_that_a_spreadsheet_would_run_gets_an_apostrophe(text: str) -> None:
    assert csv_text(["zip_code", "count"], [[text, 5]]) == f"zip_code,count\n'{text},5\n"


@pytest.mark.parametrize("text", ["", "94304", "01002", "unknown", "'=1", "a=b", "2026-11-20"])
def test_other_text_and_numbers_stay_as_they_are(text: str) -> None:
    assert csv_text(["zip_code", "count"], [[text, -5]]) == f"zip_code,count\n{text},-5\n"


def test_no_cell_ends_before_its_text_does() -> None:
    row = ["\r=1", "a\r=1", "a\n=1", 'say "=1"', "a,=1", None, 7]
    written = csv_text(["a", "b", "c", "d", "e", "f", "g"], [row])
    found = list(csv.reader(io.StringIO(written, newline="")))[1]
    assert found == ["'\r=1", "a\r=1", "a\n=1", 'say "=1"', "a,=1", "", "7"]
    assert '"\'\r=1","a\r=1"' in written
