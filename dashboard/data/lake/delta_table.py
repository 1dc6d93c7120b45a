"""Open a Delta table and query it with SQL; filters are pushed down to files and row groups."""

import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.dataset as ds
from deltalake import DeltaTable
from deltalake.exceptions import DeltaError

from contract.arrow_filesystems import table_filesystem
from contract.delta_tables import open_delta_table
from contract.errors import NotThereYet, UserError
from contract.instants import add_within_calendar
from contract.lake import table_location
from contract.redaction import redact_text, redact_url
from dashboard.data.lake.python_years import with_python_years

# Spark may write timestamps as INT96. Arrow would read them as nanoseconds, which cannot hold
# every year.
_PARQUET_OPTIONS = ds.ParquetReadOptions(coerce_int96_timestamp_unit="us")
_STATISTICS_ROUNDING = timedelta(seconds=1)
"""More than the rounding of file statistics, which are in milliseconds."""
_DUCKDB_CONFIG = {
    "memory_limit": "200MB",
    "threads": 2,
    "temp_directory": tempfile.gettempdir(),  # the current folder may be read-only
    "autoinstall_known_extensions": "false",  # DuckDB must download nothing
    "autoload_known_extensions": "false",
}


def open_table(root: str, name: str, version: int | None = None) -> DeltaTable | None:
    """Open a table of the lake at a version, by default the newest; None if there is no table."""
    uri = table_location(root, name)
    with explain_read_errors(uri):
        return open_delta_table(uri, version)


def require_table(root: str, name: str, version: int | None = None) -> DeltaTable:
    """Open a table of the lake; UserError if there is none."""
    table = open_table(root, name, version)
    if table is None:
        raise UserError(f"There is no table {redact_url(table_location(root, name))} yet.")
    return table


def no_table_yet(name: str | None = None) -> NotThereYet:
    """Return the error that a table is not there yet; that no table is, without a name."""
    table = f"table {name}" if name else "table"
    return NotThereYet(
        f"There is no {table} yet. The pipeline (`nest pipeline`) creates the tables when it has "
        "counted the history. If none comes, check that NEST_LAKE is the same for the pipeline and "
        "the dashboard."
    )


@contextmanager
def explain_read_errors(uri: str) -> Iterator[None]:
    """Turn errors of reading a table into a UserError without credentials."""
    try:
        yield
    except (DeltaError, duckdb.Error, pa.ArrowException, OSError) as error:
        reason = redact_text(str(error))
        raise UserError(
            f"The table {redact_url(uri)} cannot be read: {reason} "
            "Check that NEST_LAKE is correct and reachable."
        ) from None


def table_rows(table: DeltaTable, condition: str | None = None) -> ds.FileSystemDataset:
    """Return the table's rows as a dataset to query; nothing is read yet.

    Files are left out if their statistics say that no row meets the ``condition``, which is SQL.
    """
    return table.to_pyarrow_dataset(
        filesystem=table_filesystem(table.table_uri),
        parquet_read_options=_PARQUET_OPTIONS,
        file_pruning_predicate=condition,
    )


def sent_between(first: datetime, last: datetime) -> str:
    """Return the condition of ``table_rows`` for messages sent from one instant to another."""
    since, until = (
        add_within_calendar(first, -_STATISTICS_ROUNDING),
        add_within_calendar(last, _STATISTICS_ROUNDING),
    )
    return (
        f"timestamp >= '{since.astimezone(UTC).isoformat()}' "
        f"AND timestamp <= '{until.astimezone(UTC).isoformat()}'"
    )


def rows_of_files(rows: ds.FileSystemDataset, paths: Collection[str]) -> ds.FileSystemDataset:
    """Return the rows of some of the files."""
    files = [file for file in rows.get_fragments() if file.path in paths]
    return ds.FileSystemDataset(files, rows.schema, rows.format, rows.filesystem)


def newest_file_rows(table: DeltaTable, max_files: int) -> ds.FileSystemDataset:
    """Return the rows of the files that were written last."""
    by_age = data_files(table).sort_by([("modification_time", "descending")])
    return rows_of_files(table_rows(table), set(by_age["path"].slice(0, max_files).to_pylist()))


def data_files(table: DeltaTable) -> pa.Table:
    """Return path and modification_time of each data file."""
    return pa.table(table.get_add_actions()).select(["path", "modification_time"])


def query(data: ds.Dataset | pa.Table, sql: str, **parameters: Any) -> pa.Table:
    """Run SQL over the data, which the SQL calls ``data``; ``$name`` is a parameter.

    DuckDB pushes columns and filters down to Arrow, which skips row groups by their statistics.
    Instants of the result are in the years 1 to 9999, see ``with_python_years``.
    """
    with duckdb.connect(config=_DUCKDB_CONFIG) as engine:
        engine.execute("SET TimeZone = 'UTC'")
        engine.register("data", data)
        return with_python_years(engine.sql(sql, params=parameters or None).to_arrow_table())
