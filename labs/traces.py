"""Where a table still tells of somebody: its rows, the files of older versions, its log."""

from collections.abc import Set
from pathlib import Path

import pyarrow.parquet as pq
from deltalake import DeltaTable

ROWS, FILES, LOG = "rows", "files of older versions", "files of the log"


def traces(table: str, ids: Set[str]) -> dict[str, int]:
    """Return in how many rows and files any of the ids is found; a place without any is left out.

    Parquet files are searched in their values and in their statistics.
    """
    newest = {Path(uri).name for uri in DeltaTable(table).file_uris()}
    found = {ROWS: 0, FILES: 0, LOG: 0}
    for file in filter(Path.is_file, Path(table).rglob("*")):
        if "_delta_log" in file.parts:
            found[LOG] += _mentions(_text_of(file), ids)
        elif file.name in newest:
            rows = pq.read_table(file, partitioning=None).to_pylist()
            found[ROWS] += sum(_mentions(repr(row), ids) for row in rows)
        else:
            found[FILES] += _mentions(_text_of(file), ids)
    return {place: number for place, number in found.items() if number}


def _text_of(file: Path) -> str:
    """Return all that a file says; of a Parquet file its values and its footer."""
    if file.suffix != ".parquet":
        return file.read_bytes().decode("utf-8", "replace")
    with pq.ParquetFile(file) as parquet:
        return repr(parquet.read().to_pylist()) + repr(parquet.metadata.to_dict())


def _mentions(text: str, ids: Set[str]) -> bool:
    return any(each in text for each in ids)
