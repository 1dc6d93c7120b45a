"""A table's rows, files and bytes, from its log alone."""

from dataclasses import dataclass

import pyarrow.compute as pc
from deltalake import DeltaTable

from dashboard.data.lake.delta_table import data_files


@dataclass(frozen=True)
class TableSize:
    """How large a table is at a version."""

    version: int
    rows: int | None
    """None if the writer kept no statistics."""
    files: int
    total_bytes: int
    median_file_bytes: int


def table_size(table: DeltaTable) -> TableSize:
    """Return the size of a table at the version at which it is open."""
    files = data_files(table)
    if not files.num_rows:
        return TableSize(table.version(), 0, 0, 0, 0)
    sizes, rows = files["size_bytes"], files["num_records"]
    return TableSize(
        table.version(),
        None if rows.null_count else pc.sum(rows).as_py(),
        files.num_rows,
        pc.sum(sizes).as_py(),
        int(pc.quantile(sizes, 0.5)[0].as_py()),
    )
