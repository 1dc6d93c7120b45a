"""Open a Delta table without a JVM, and its size from its log alone; delta-rs reads them."""

from dataclasses import dataclass
from statistics import median

from deltalake import DeltaTable


@dataclass(frozen=True)
class TableSize:
    """How large a table is at a version."""

    version: int
    rows: int | None
    """None if the writer kept no statistics."""
    files: int
    total_bytes: int
    median_file_bytes: int


def open_delta_table(uri: str, version: int | None = None) -> DeltaTable | None:
    """Open a table at a version, by default the newest; None if there is no table.

    DeltaError or OSError if it cannot be read.
    """
    return DeltaTable(uri, version=version) if DeltaTable.is_deltatable(uri) else None


def table_size(table: DeltaTable) -> TableSize:
    """Return the size of a table at the version at which it is open."""
    files = table.get_add_actions()
    sizes: list[int] = files.column("size_bytes").to_pylist()
    rows: list[int | None] = files.column("num_records").to_pylist()
    known = [each for each in rows if each is not None]
    return TableSize(
        table.version(),
        sum(known) if len(known) == len(rows) else None,
        len(sizes),
        sum(sizes),
        int(median(sizes)) if sizes else 0,
    )
