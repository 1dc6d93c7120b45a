"""Follow a table from version to version, reading each data file once."""

from dataclasses import dataclass, field
from datetime import datetime

import pyarrow.dataset as ds
from deltalake import DeltaTable

from dashboard.data.lake.delta_table import data_of, files_of, newest_of, only, open_table, query

_NEWEST_FILES = 3


@dataclass(frozen=True)
class News:
    """What a look at the table brings: the rows of the files not seen before."""

    data: ds.FileSystemDataset
    anew: bool
    """Files have gone (rows were deleted, files put together): forget, all rows are here again."""
    files: int
    """How many files are to be read."""
    of_files: int
    """How many the table has."""


@dataclass
class Followed:
    """A table that is looked at again and again."""

    root: str
    name: str
    _seen: set[str] = field(default_factory=set)

    def look(self) -> DeltaTable | None:
        """Return the table at its newest version; None if there is none.

        It is opened anew each time: a table that was removed or made anew is noticed.
        """
        return open_table(self.root, self.name)

    def news(self, table: DeltaTable, since: datetime | None = None) -> News:
        """Return the rows of files not seen before.

        Files whose rows are all older than ``since`` are left out.
        """
        everything = set(files_of(table)["path"].to_pylist())
        data = data_of(table, since)
        there = set(data.files)
        anew = not self._seen <= everything
        new = there if anew else there - self._seen
        self._seen = there if anew else self._seen | there
        return News(only(data, new), anew, len(new), len(everything))


def newest_moment(table: DeltaTable) -> datetime | None:
    """Return the newest timestamp in the files that were written last; None without rows.

    In a table that is appended to in order this is the newest of all.
    """
    data = newest_of(table, _NEWEST_FILES)
    if not data.files:
        return None
    found = query(data, "SELECT max(timestamp) AS newest FROM data")
    moment: datetime | None = found["newest"][0].as_py()
    return moment
