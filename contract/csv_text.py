"""CSV that people open in a spreadsheet."""

from collections.abc import Iterable, Sequence

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet takes a cell that begins with one of these for a formula (OWASP, CSV injection)."""
# With "\n" as the line end, the csv module leaves a carriage return without quotes, and a
# spreadsheet begins a row there.
_QUOTED = frozenset(',"\r\n')


def csv_text(header: Sequence[str], rows: Iterable[Sequence[str | int | None]]) -> str:
    """Return a header and rows as CSV, in which a spreadsheet runs no cell as a formula.

    A text cell that could be a formula gets a leading apostrophe. Numbers stay numbers, and None
    is an empty cell.
    """
    return "".join(",".join(map(_cell, row)) + "\n" for row in (header, *rows))


def _cell(value: str | int | None) -> str:
    if not isinstance(value, str):
        return "" if value is None else str(value)
    text = f"'{value}" if value.startswith(_FORMULA_STARTS) else value
    return '"' + text.replace('"', '""') + '"' if _QUOTED & set(text) else text
