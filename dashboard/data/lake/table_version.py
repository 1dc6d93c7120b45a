"""A table as of a version: its size and its newest rows."""

from dataclasses import dataclass

import pandas as pd

from contract.delta_tables import TableSize, table_size
from contract.lake import table_location
from dashboard.data.lake.delta_table import (
    explain_read_errors,
    newest_file_rows,
    query,
    require_table,
)

MAX_ROWS = 20
_NEWEST_FILES = 5
_NEWEST_ROWS = """
    SELECT COLUMNS(lambda name: name <> 'raw') FROM data ORDER BY timestamp DESC LIMIT $max_rows
"""


@dataclass(frozen=True)
class TableVersion:
    """A table as of a version."""

    size: TableSize
    rows: pd.DataFrame
    """The newest rows, at most MAX_ROWS, without the column ``raw``."""


def read_version(root: str, name: str, version: int) -> TableVersion:
    """Read a table as of a version; UserError if that version is not there (any more)."""
    with explain_read_errors(table_location(root, name)):
        table = require_table(root, name, version)
        rows = query(newest_file_rows(table, _NEWEST_FILES), _NEWEST_ROWS, max_rows=MAX_ROWS)
        return TableVersion(table_size(table), rows.to_pandas())
