"""Compare the rows of a table with the rows that the records of nest-logs must have become."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from check.positions import Position, format_position
from check.row_comparison import RowComparison
from check.rules.columns import Columns, index_of, values_per_row
from check.rules.expected_record import Row
from check.rules.matchers import Matcher, matches, usual_spelling
from check.value_difference import format_value, row_differences

_MOST_COMPARED = 20
"""Among how many rows the one is looked for from which a wrong row differs."""


@dataclass
class TableComparison(RowComparison):
    """What the comparison of one table has found so far.

    ``name_column`` is the column by which people tell the rows of one record apart.
    """

    columns: Columns
    name_column: str

    def __post_init__(self) -> None:
        self._values_per_row = values_per_row(self.columns)
        self._name_index = index_of(self.name_column, self.columns)

    def compare_record(
        self,
        position: Position,
        expected: Sequence[Row],
        stored: Sequence[Row],
        *,
        is_committed: bool,
    ) -> None:
        """Compare the rows of one record, in any order; none may be missing if it is committed."""
        self.required += len(expected) if is_committed else 0
        self.possible += len(expected)
        self.found += len(stored)
        if expected == stored:  # plain values in the same order: nearly always
            self.values += len(stored) * self._values_per_row
            return
        missing = _Candidates(expected)
        unmatched = [row for row in stored if not missing.take_match(row)]
        self.values += (len(stored) - len(unmatched)) * self._values_per_row
        if unmatched:
            matched = Counter(map(_key, stored)) - Counter(map(_key, unmatched))
            for row in unmatched:
                self._add_unmatched(position, row, missing, matched)
        if is_committed:
            for row in missing.rows():
                self.missing.add(self._describe(position, row))

    def add_unexpected(self, rows: Mapping[Position, Sequence[Row]]) -> None:
        """Count rows of positions where nest-logs has no record."""
        for position, stored in rows.items():
            self.compare_record(position, [], stored, is_committed=False)

    def _add_unmatched(
        self, position: Position, row: Row, missing: "_Candidates", matched: Counter[object]
    ) -> None:
        """Count a row that matches none that is expected: doubled, different or unexpected."""
        if _key(row) in matched:
            self.doubled.add(self._describe(position, row))
            return
        nearest = missing.take_nearest(row)
        if nearest is None:
            self.unexpected.add(self._describe(position, row))
            return
        self.values += self._values_per_row
        row_name = self._describe(position, nearest)
        for path, should, does in row_differences(self.columns, nearest, row):
            self.differing.add(f"{row_name} {path}: expected {should}, found {does}")

    def _describe(self, position: Position, row: Row) -> str:
        name = format_value(row[self._name_index])
        return f"{format_position(position)} {self.name_column} {name}"


class _Candidates:
    """Expected rows, of which each is taken once.

    A message may hold tens of thousands of cameras, whose rows come in any order. So rows are found
    by their values in the usual spelling, whatever number there is. Only a row in another spelling
    is compared one by one with those that agree with it in all values that have one spelling.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = dict(enumerate(rows))
        self._by_usual_values: dict[object, list[int]] = {}
        self._by_values: dict[tuple[int, ...], dict[object, list[int]]] = {}
        """By the columns that have several spellings, and then by the values of the others."""
        for number in reversed(self._rows):
            row = self._rows[number]
            self._by_usual_values.setdefault(_key(usual_spelling(row)), []).append(number)
            loose = tuple(i for i, value in enumerate(row) if not _is_plain(value))
            if loose:
                of_columns = self._by_values.setdefault(loose, {})
                of_columns.setdefault(_key(_without(row, loose)), []).append(number)

    def take_match(self, stored: Row) -> bool:
        """Take an expected row that a stored row matches, and return whether there was one."""
        return self._take_usual(stored) or self._take_other_spelling(stored)

    def _take_usual(self, stored: Row) -> bool:
        numbers = self._by_usual_values.get(_key(stored), [])
        while numbers:
            if self._rows.pop(numbers.pop(), None) is not None:
                return True
        return False

    def _take_other_spelling(self, stored: Row) -> bool:
        for loose, by_values in self._by_values.items():
            numbers = by_values.get(_key(_without(stored, loose)), [])
            for index in range(len(numbers) - 1, -1, -1):
                row = self._rows.get(numbers[index])
                if row is None:  # taken
                    del numbers[index]
                elif all(matches(row[i], stored[i]) for i in loose):
                    del self._rows[numbers.pop(index)]
                    return True
        return False

    def take_nearest(self, stored: Row) -> Row | None:
        """Take the row with the most values of a stored one; None if none has half of them.

        It is looked for among the first few: this only decides how a fault is described.
        """
        first = list(islice(self._rows.items(), _MOST_COMPARED))
        number, nearest = max(
            first, key=lambda item: _equal_values(item[1], stored), default=(-1, None)
        )
        if nearest is None or 2 * _equal_values(nearest, stored) < len(stored):
            return None
        return self._rows.pop(number)

    def rows(self) -> list[Row]:
        """Return the rows that were not taken, in their order."""
        return list(self._rows.values())


def _is_plain(value: object) -> bool:
    """Tell whether a value has only one spelling."""
    return not isinstance(value, Matcher) and (
        type(value) is not tuple or all(map(_is_plain, value))
    )


def _without(row: Row, columns: tuple[int, ...]) -> Row:
    return tuple(value for i, value in enumerate(row) if i not in columns)


def _key(row: Row) -> object:
    """Return the row, or where it holds what is not hashable, its text."""
    try:
        hash(row)
    except TypeError:
        return repr(row)
    return row


def _equal_values(expected: Row, stored: Row) -> int:
    return sum(map(matches, expected, stored))
