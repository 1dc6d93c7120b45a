"""Follow a table from version to version and read each data file once."""

from dataclasses import dataclass, field
from datetime import datetime

import pyarrow.dataset as ds
from deltalake import DeltaTable

from dashboard.data.lake.delta_table import (
    data_files,
    newest_file_rows,
    open_table,
    query,
    rows_of_files,
    table_rows,
)

_NEWEST_FILES = 3
_NEWEST_TIMESTAMP = """
    SELECT max(timestamp) AS newest FROM data
    WHERE timestamp >= TIMESTAMPTZ 'epoch' AND timestamp < TIMESTAMPTZ '9999-12-31 00:00:00+00'
"""


@dataclass(frozen=True)
class NewFiles:
    """The data files that have been added to a table since the last read."""

    rows: ds.FileSystemDataset
    is_reset: bool
    """Files were removed (rows deleted, files compacted): ``rows`` has all rows again."""
    count: int
    """How many files are new."""
    table_files: int
    """How many files the table has."""


@dataclass
class TableFollower:
    """Reads a table again and again, and remembers which files it has read."""

    root: str
    name: str
    _read_files: set[str] = field(default_factory=set)

    def open(self) -> DeltaTable | None:
        """Open the table at its newest version; None if there is none.

        It is opened from its path each time, so a table that was removed or recreated is noticed.
        """
        return open_table(self.root, self.name)

    def new_files(self, table: DeltaTable, since: datetime | None = None) -> NewFiles:
        """Return the files not read before, without those whose rows are older than ``since``."""
        all_paths = set(data_files(table)["path"].to_pylist())
        rows = table_rows(table, since)
        paths = set(rows.files)
        is_reset = not self._read_files <= all_paths
        new_paths = paths if is_reset else paths - self._read_files
        self._read_files = paths  # older files are of no use again: 165 bytes each
        return NewFiles(rows_of_files(rows, new_paths), is_reset, len(new_paths), len(all_paths))


def newest_timestamp(table: DeltaTable) -> datetime | None:
    """Return the newest timestamp in the files that were written last; None without rows.

    A table that is appended to in the order of time has no newer one. Timestamps before 1970 or
    after 9999 are of no record that the pipeline takes, and do not count.
    """
    rows = newest_file_rows(table, _NEWEST_FILES)
    if not rows.files:
        return None
    timestamp: datetime | None = query(rows, _NEWEST_TIMESTAMP)["newest"][0].as_py()
    return timestamp
