"""Compare camera_status with the archive: the newest row of each camera, and nothing else.

The archive's rows are the truth here; the check compares these with nest-logs by themselves.
"""

import pickle
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from check.counted_cases import CountedCases
from check.coverage import Coverage
from check.positions import Position, format_position
from check.row_comparison import RowComparison
from check.rows import Rows
from check.rules.columns import ARCHIVE_COLUMNS, index_of, values_per_row
from check.rules.expected_record import Row
from check.value_difference import format_value, row_differences

_DEVICE_ID = index_of("device_id", ARCHIVE_COLUMNS)
_TIMESTAMP = index_of("timestamp", ARCHIVE_COLUMNS)
_VALUES_PER_ROW = values_per_row(ARCHIVE_COLUMNS)
_MOST_UNWRITTEN = 50_000


@dataclass
class StateComparison(RowComparison):
    """What the comparison has found: each camera with an archive row has a row."""

    stale: CountedCases = field(default_factory=CountedCases)
    """Rows older than the newest one that the query has taken in."""


def recency(timestamp: object, position: Position) -> str | None:
    """Return a text that sorts as the rows of a camera do: by timestamp, partition and offset."""
    numbers = (timestamp, *position)
    if not all(type(number) is int and number >= 0 for number in numbers):
        return None
    return "{:020}{:010}{:020}".format(*numbers)


class CameraStates:
    """The rows of camera_status and the newest archive row of each camera, in an SQLite file."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._coverage = Coverage()
        self._unwritten: dict[str, tuple[str, str]] = {}
        db.executescript("""
            CREATE TABLE stored (
                id INTEGER PRIMARY KEY, partition INTEGER, offset INTEGER, device_id TEXT,
                recency TEXT, row BLOB, is_archived INTEGER DEFAULT 0, nearest BLOB);
            CREATE INDEX stored_position ON stored (partition, offset);
            CREATE TABLE camera (
                device_id TEXT PRIMARY KEY, required TEXT, newest TEXT) WITHOUT ROWID;
        """)

    def set_coverage(self, coverage: Coverage) -> None:
        """Tell which rows of the archive the query has taken in."""
        self._coverage = coverage

    def add_stored(self, rows: Rows) -> None:
        """Add rows of camera_status; all of them come before the archive's."""
        self._db.executemany(
            "INSERT INTO stored (partition, offset, device_id, recency, row) VALUES (?,?,?,?,?)",
            (
                (*position, row[_DEVICE_ID], recency(row[_TIMESTAMP], position), pickle.dumps(row))
                for position, of_record in rows.items()
                for row in of_record
            ),
        )

    def add_archived(self, rows: Rows) -> None:
        """Take in rows of the archive, and compare with them the rows that are copies of them."""
        for position, of_record in rows.items():
            is_covered = self._coverage.covers(position)
            for row in of_record:
                self._add_camera(row, position, is_covered)
        if len(self._unwritten) >= _MOST_UNWRITTEN:
            self.flush()
        for number, position, stored in self._stored_within(rows):
            candidates = [
                row for row in rows.get(position, ()) if row[_DEVICE_ID] == stored[_DEVICE_ID]
            ]
            if stored in candidates:
                self._db.execute("UPDATE stored SET is_archived = 1 WHERE id = ?", (number,))
            elif candidates:
                self._db.execute(
                    "UPDATE stored SET nearest = ? WHERE id = ?",
                    (pickle.dumps(candidates[0]), number),
                )

    def flush(self) -> None:
        """Write to disk what was added."""
        self._db.executemany(
            "INSERT INTO camera VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET "
            "required = max(required, excluded.required), newest = max(newest, excluded.newest)",
            ((device_id, *keys) for device_id, keys in sorted(self._unwritten.items())),
        )
        self._unwritten.clear()

    def compare(self) -> StateComparison:
        """Return what was found, after all rows were added."""
        self.flush()
        found = StateComparison()
        ((found.possible, found.required),) = self._db.execute(
            "SELECT count(*), coalesce(sum(required <> ''), 0) FROM camera"
        )
        ((found.found, archived),) = self._db.execute(
            "SELECT count(*), coalesce(sum(is_archived), 0) FROM stored"
        )
        found.values = archived * _VALUES_PER_ROW
        for (device_id,) in self._db.execute(
            "SELECT device_id FROM camera WHERE required <> '' AND device_id NOT IN "
            "(SELECT device_id FROM stored WHERE device_id IS NOT NULL)"
        ):
            found.missing.add(f"device_id {format_value(device_id)}")
        for device_id, count in self._db.execute(
            "SELECT device_id, count(*) AS n FROM stored GROUP BY device_id HAVING n > 1"
        ):
            found.doubled.add(f"device_id {format_value(device_id)}: {count} rows", count - 1)
        for device_id, partition, offset in self._db.execute(
            "SELECT device_id, partition, offset FROM stored JOIN camera USING (device_id) "
            "WHERE stored.recency < camera.required GROUP BY device_id"
        ):
            found.stale.add(f"{_describe((partition, offset), device_id)} is not the newest")
        self._compare_values(found)
        return found

    def _compare_values(self, found: StateComparison) -> None:
        """Sort the rows that are not in the archive: with other values there, or not at all."""
        for partition, offset, row, nearest in self._db.execute(
            "SELECT partition, offset, row, nearest FROM stored WHERE NOT is_archived"
        ):
            stored = pickle.loads(row)  # noqa: S301 - from a file of our own
            name = _describe((partition, offset), stored[_DEVICE_ID])
            if nearest is None:
                found.unexpected.add(name)
                continue
            found.values += _VALUES_PER_ROW
            expected = pickle.loads(nearest)  # noqa: S301
            for path, should, does in row_differences(ARCHIVE_COLUMNS, expected, stored):
                found.differing.add(f"{name} {path}: expected {should}, found {does}")

    def _add_camera(self, row: Row, position: Position, is_covered: bool) -> None:
        key = recency(row[_TIMESTAMP], position)
        if not isinstance(row[_DEVICE_ID], str) or key is None:
            return
        required, newest = self._unwritten.get(row[_DEVICE_ID], ("", ""))
        self._unwritten[row[_DEVICE_ID]] = (
            max(required, key if is_covered else ""),
            max(newest, key),
        )

    def _stored_within(self, rows: Iterable[Position]) -> Iterator[tuple[int, Position, Row]]:
        """Yield the rows of camera_status from the range of these positions, not yet matched."""
        for partition, low, high in position_ranges(rows):
            of_range = self._db.execute(
                "SELECT id, offset, row FROM stored "
                "WHERE partition = ? AND offset BETWEEN ? AND ? AND NOT is_archived",
                (partition, low, high),
            ).fetchall()
            for number, offset, row in of_range:
                yield number, (partition, offset), pickle.loads(row)  # noqa: S301


def position_ranges(positions: Iterable[Position]) -> list[tuple[int, int, int]]:
    """Return for each partition its number and the lowest and the highest of the offsets."""
    ranges: dict[int, tuple[int, int]] = {}
    for partition, offset in positions:
        if partition is not None and offset is not None:
            low, high = ranges.get(partition, (offset, offset))
            ranges[partition] = min(low, offset), max(high, offset)
    return [(partition, low, high) for partition, (low, high) in ranges.items()]


def _describe(position: Position, device_id: object) -> str:
    return f"{format_position(position)} device_id {format_value(device_id)}"
