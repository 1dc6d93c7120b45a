"""Compare the rows of a table with the rows that the records of nest-logs must have become."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from check.examples import Examples
from check.positions import Position, format_position
from check.rules.columns import Columns
from check.rules.expected_record import Row
from check.rules.field_types import Struct
from check.rules.matchers import matches
from check.value_difference import format_value, value_differences


@dataclass
class TableComparison:
    """What the comparison of one table has found so far.

    ``name_column`` is the column by which people tell the rows of one record apart.
    """

    columns: Columns
    name_column: str
    required: int = 0
    """Rows that must be there, because the query has committed their records."""
    optional: int = 0
    """Rows that may be there or not, because their records are not committed yet."""
    found: int = 0
    """Rows that the table has, except those of records that retention has removed."""
    values: int = 0
    """Values compared; the fields of a struct count one by one."""
    missing: Examples = field(default_factory=Examples)
    doubled: Examples = field(default_factory=Examples)
    unexpected: Examples = field(default_factory=Examples)
    differing: Examples = field(default_factory=Examples)
    """Values, not rows."""

    def __post_init__(self) -> None:
        self._values_per_row = sum(
            len(field_type.fields) if isinstance(field_type, Struct) else 1
            for field_type in self.columns.values()
        )
        self._name_index = list(self.columns).index(self.name_column)

    def compare_record(
        self,
        position: Position,
        expected: Sequence[Row],
        stored: Sequence[Row],
        *,
        is_committed: bool,
    ) -> None:
        """Compare the rows of one record, in any order; none may be missing if it is committed."""
        if is_committed:
            self.required += len(expected)
        else:
            self.optional += len(expected)
        self.found += len(stored)
        if expected == stored:  # plain values in the same order: nearly always
            self.values += len(stored) * self._values_per_row
            return
        missing, matched, unmatched = list(expected), [], []
        for row in stored:
            index = _index_of_match(row, missing)
            if index is None:
                unmatched.append(row)
            else:
                del missing[index]
                matched.append(row)
        self.values += len(matched) * self._values_per_row
        for row in unmatched:
            self._add_unmatched(position, row, missing, matched)
        if is_committed:
            for row in missing:
                self.missing.add(self._describe(position, row))

    def add_unexpected(self, rows: Mapping[Position, Sequence[Row]]) -> None:
        """Count rows of positions where nest-logs has no record."""
        for position, stored in rows.items():
            self.compare_record(position, [], stored, is_committed=False)

    def _add_unmatched(
        self, position: Position, row: Row, missing: list[Row], matched: list[Row]
    ) -> None:
        """Count a row that matches none that is expected: doubled, different or unexpected."""
        if row in matched:
            self.doubled.add(self._describe(position, row))
            return
        nearest = max(missing, key=lambda other: _equal_values(other, row), default=None)
        if nearest is None or 2 * _equal_values(nearest, row) < len(row):
            self.unexpected.add(self._describe(position, row))
            return
        missing.remove(nearest)
        self.values += self._values_per_row
        for (name, field_type), expected, stored in zip(
            self.columns.items(), nearest, row, strict=True
        ):
            for path, one, other in value_differences(name, field_type, expected, stored):
                row_name = self._describe(position, nearest)
                self.differing.add(f"{row_name} {path}: expected {one}, found {other}")

    def _describe(self, position: Position, row: Row) -> str:
        name = format_value(row[self._name_index])
        return f"{format_position(position)} {self.name_column} {name}"


def _index_of_match(row: Row, candidates: Iterable[Row]) -> int | None:
    return next((i for i, expected in enumerate(candidates) if matches(expected, row)), None)


def _equal_values(expected: Row, stored: Row) -> int:
    return sum(map(matches, expected, stored))
