"""Compare the rows of one record, as they must be and as they are, and keep the tally."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from check.expected_record import Row
from check.fields import Kind, ListOf, Struct, read_instant
from check.instants import format_instant
from check.redaction import HIDDEN, hide
from check.rows import Position

MAX_EXAMPLES = 5
_LONGEST = 80


@dataclass
class Examples:
    """How often something was found, and the first few cases."""

    count: int = 0
    first: list[str] = field(default_factory=list)

    def add(self, case: str, times: int = 1) -> None:
        """Note a case."""
        self.count += times
        if len(self.first) < MAX_EXAMPLES:
            self.first.append(case)


@dataclass
class Tally:
    """What the comparison of one table has come to so far."""

    columns: dict[str, Kind]
    records: int = 0
    """Records that every row was asked of."""
    expected: int = 0
    """Rows of these records."""
    open: int = 0
    """Rows of records that the query may or may not have taken in yet."""
    found: int = 0
    """Rows that the table holds, all told."""
    values: int = 0
    missing: Examples = field(default_factory=Examples)
    doubled: Examples = field(default_factory=Examples)
    false: Examples = field(default_factory=Examples)
    differing: Examples = field(default_factory=Examples)
    """Values, not rows."""

    def __post_init__(self) -> None:
        parts = (len(k.fields) if isinstance(k, Struct) else 1 for k in self.columns.values())
        self._width = sum(parts)

    def compare(
        self, at: Position, expected: Sequence[Row], found: Sequence[Row], complete: bool
    ) -> None:
        """Compare a record's rows as multisets; ``complete`` says that none may be missing."""
        if complete:
            self.records += 1
            self.expected += len(expected)
        else:
            self.open += len(expected)
        self.found += len(found)
        if expected == found:
            self.values += len(found) * self._width
            return
        missing, extra, same = list(expected), [], []
        for row in found:
            if row in missing:
                missing.remove(row)
                same.append(row)
            else:
                extra.append(row)
        self.values += len(same) * self._width
        for row in extra:
            self._extra(at, row, missing, same)
        if complete:
            for row in missing:
                self.missing.add(f"{where(at)} {self._name(row)}")

    def _extra(self, at: Position, row: Row, missing: list[Row], same: list[Row]) -> None:
        """Report a row that should not be as it is: doubled, meant to be another, or false."""
        if row in same:
            self.doubled.add(f"{where(at)} {self._name(row)}")
            return
        near = max(missing, key=lambda other: _alike(row, other), default=None)
        if near is None or 2 * _alike(row, near) < len(row):
            self.false.add(f"{where(at)} {self._name(row)}")
            return
        missing.remove(near)
        self.values += self._width
        for (name, kind), wanted, value in zip(self.columns.items(), near, row, strict=True):
            for path, one, other in _differences(name, kind, wanted, value):
                texts = f"expected {one}, found {other}"
                self.differing.add(f"{where(at)} {self._name(near)} {path}: {texts}")

    def _name(self, row: Row) -> str:
        """Name a row by the column that tells it from the others of its record."""
        name = "device_id" if "device_id" in self.columns else "reason"
        return f"{name} {show(row[list(self.columns).index(name)])}"


def where(at: Position) -> str:
    """Write a position for people."""
    return f"partition {at[0]} offset {at[1]}"


def show(value: object, kind: Kind | None = None) -> str:
    """Write a value on one short line, times as ISO 8601, credentials hidden."""
    if value is None:
        return "null"
    if kind is read_instant and type(value) is int:
        try:
            return format_instant(value)
        except OverflowError:
            return f"{value} µs"
    text = hide(value if isinstance(value, str) else repr(value))[0].replace(HIDDEN, "***")
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _alike(row: Row, other: Row) -> int:
    return sum(a == b for a, b in zip(row, other, strict=True))


def _differences(path: str, kind: Kind, wanted: Any, value: Any) -> list[tuple[str, str, str]]:
    """Return path, expected and found of each value that differs, as deep as it can be told."""
    if wanted == value:
        return []
    if isinstance(wanted, tuple) and isinstance(value, tuple):
        parts: list[tuple[str, Kind]] = []
        if isinstance(kind, Struct):
            parts = [(f"{path}.{name}", field) for name, field in kind.fields.items()]
        elif isinstance(kind, ListOf) and len(wanted) == len(value):
            parts = [(f"{path}[{i}]", kind.element) for i in range(len(wanted))]
        if parts:
            both = zip(parts, wanted, value, strict=True)
            return [d for (name, k), a, b in both for d in _differences(name, k, a, b)]
    said = getattr(wanted, "difference", None)
    return [(path, show(wanted, kind), f"{show(value, kind)}{f' ({said(value)})' if said else ''}")]
