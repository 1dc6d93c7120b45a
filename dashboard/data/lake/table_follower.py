"""Follow a table from version to version and read each data file once."""

from dataclasses import dataclass, field

import pyarrow.dataset as ds
from deltalake import DeltaTable

from dashboard.data.lake.delta_table import data_files, rows_of_files, table_rows


@dataclass(frozen=True)
class NewFiles:
    """The data files that have been added to a table since the last read."""

    rows: ds.FileSystemDataset
    is_reset: bool
    """Files were removed (rows deleted, files compacted): ``rows`` has all rows again."""


@dataclass
class TableFollower:
    """Reads a table again and again, and remembers which files it has read."""

    _read_files: set[str] = field(default_factory=set)

    def new_files(self, table: DeltaTable) -> NewFiles:
        """Return the files not read before."""
        all_paths = set(data_files(table)["path"].to_pylist())
        rows = table_rows(table)
        paths = set(rows.files)
        is_reset = not self._read_files <= all_paths
        new_paths = paths if is_reset else paths - self._read_files
        self._read_files = paths
        return NewFiles(rows_of_files(rows, new_paths), is_reset)
