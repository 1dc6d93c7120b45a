"""Open a Delta table and query it with SQL, filters pushed down to files and row groups."""

import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.fs as pafs
from deltalake import DeltaTable
from deltalake.exceptions import DeltaError

from contract.errors import UserError
from contract.lake import CAMERA, QUARANTINE, table_uri
from contract.redaction import redact_text, redact_url

TABLES = (CAMERA, QUARANTINE, "camera_status")

# Spark may write timestamps as INT96, which Arrow would read as nanoseconds: too few for year 1.
_READ = ds.ParquetReadOptions(coerce_int96_timestamp_unit="us")
_ENGINE = {
    "memory_limit": "200MB",
    "threads": 2,
    "temp_directory": tempfile.gettempdir(),  # the current folder may be read-only
    "autoinstall_known_extensions": "false",  # nothing is fetched
    "autoload_known_extensions": "false",
}


def open_table(root: str, name: str, version: int | None = None) -> DeltaTable | None:
    """Open a table at its newest version or another; None if there is no such table."""
    uri = table_uri(root, name)
    with readable(uri):
        return DeltaTable(uri, version=version) if DeltaTable.is_deltatable(uri) else None


def require_table(root: str, name: str, version: int | None = None) -> DeltaTable:
    """Open a table; UserError if there is none."""
    table = open_table(root, name, version)
    if table is None:
        raise UserError(f"There is no table {redact_url(table_uri(root, name))} yet.")
    return table


@contextmanager
def readable(uri: str) -> Iterator[None]:
    """Turn what can go wrong while a table is read into a UserError, without credentials."""
    try:
        yield
    except (DeltaError, duckdb.Error, pa.ArrowException, OSError) as error:
        reason = redact_text(str(error))
        raise UserError(
            f"The table {redact_url(uri)} cannot be read: {reason} "
            "See that NEST_LAKE is right and can be reached."
        ) from None


def data_of(table: DeltaTable, since: datetime | None = None) -> ds.FileSystemDataset:
    """Return the table's rows as something to query; nothing is read yet.

    Files whose statistics say that all their rows are older than ``since`` are left out.
    """
    return table.to_pyarrow_dataset(
        filesystem=_local_filesystem(table),
        parquet_read_options=_READ,
        file_pruning_predicate=since and f"timestamp >= '{since.astimezone(UTC).isoformat()}'",
    )


def only(data: ds.FileSystemDataset, paths: Collection[str]) -> ds.FileSystemDataset:
    """Return the rows of some of the files."""
    files = [each for each in data.get_fragments() if each.path in paths]
    return ds.FileSystemDataset(files, data.schema, data.format, data.filesystem)


def newest_of(table: DeltaTable, files: int) -> ds.FileSystemDataset:
    """Return the rows of the files that were written last, of so many at most."""
    by_age = files_of(table).sort_by([("modification_time", "descending")])
    return only(data_of(table), set(by_age["path"].slice(0, files).to_pylist()))


def files_of(table: DeltaTable) -> pa.Table:
    """Return path, size_bytes, num_records and modification_time of each data file."""
    columns = ["path", "size_bytes", "num_records", "modification_time"]
    return pa.table(table.get_add_actions()).select(columns)


def query(data: ds.Dataset | pa.Table, sql: str, **parameters: Any) -> pa.Table:
    """Run SQL over the data, which is called ``data`` in it; ``$name`` is a parameter.

    DuckDB pushes columns and filters down to Arrow, which skips row groups by their statistics.
    """
    with duckdb.connect(config=_ENGINE) as engine:
        engine.execute("SET TimeZone = 'UTC'")
        engine.register("data", data)
        return engine.sql(sql, params=parameters or None).to_arrow_table()


def _local_filesystem(table: DeltaTable) -> pafs.FileSystem | None:
    """Return Arrow's own file system, twice as fast, for a table on a local disk."""
    if not table.table_uri.startswith("file:"):
        return None
    filesystem, path = pafs.FileSystem.from_uri(table.table_uri)
    return pafs.SubTreeFileSystem(path, filesystem)
