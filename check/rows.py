"""Turn what Arrow read from the lake into the tuples that the judge makes of a record."""

from collections import defaultdict
from typing import Any

import pyarrow as pa

from check.expected_record import Row
from check.fields import CAMERA, Kind, ListOf, Struct, read_instant, read_text

Position = tuple[int | None, int | None]
"""Partition and offset of a record in nest-logs."""

ARCHIVE: dict[str, Kind] = {**CAMERA.fields, "timestamp": read_instant}
QUARANTINE: dict[str, Kind] = {
    "timestamp": read_instant,
    "reason": read_text,
    "detail": read_text,
    "raw": read_text,
}


def rows_by_position(
    table: pa.Table | pa.RecordBatch, columns: dict[str, Kind]
) -> dict[Position, list[Row]]:
    """Group a table's rows by their record, each a tuple of the columns named.

    Timestamps are microseconds since 1970, structs and lists are tuples. A column that the table
    lacks is null.
    """
    rows: dict[Position, list[Row]] = defaultdict(list)
    values = [_values(_column(table, name), kind) for name, kind in columns.items()]
    partitions, offsets = table["partition"].to_pylist(), table["offset"].to_pylist()
    for partition, offset, row in zip(partitions, offsets, zip(*values, strict=True), strict=True):
        rows[partition, offset].append(row)
    return rows


def _column(table: pa.Table | pa.RecordBatch, name: str) -> pa.Array:
    if name not in table.schema.names:
        return pa.nulls(table.num_rows)
    column = table[name]
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _values(array: pa.Array, kind: Kind) -> list[Any]:
    """Return a column's values; where its type is not the kind's, as Arrow gives them."""
    if isinstance(kind, Struct) and pa.types.is_struct(array.type):
        return _structs(array, kind)
    if isinstance(kind, ListOf) and pa.types.is_list(array.type):
        return _lists(array, kind)
    if pa.types.is_timestamp(array.type):
        return array.cast(pa.timestamp("us", array.type.tz)).cast(pa.int64()).to_pylist()  # type: ignore[no-any-return]
    return array.to_pylist()  # type: ignore[no-any-return]


def _structs(array: pa.StructArray, kind: Struct) -> list[Any]:
    parts = dict(zip(array.type.names, array.flatten(), strict=True))
    columns = [
        _values(parts[name], field) if name in parts else [None] * len(array)
        for name, field in kind.fields.items()
    ]
    rows: list[Any] = list(zip(*columns, strict=True))
    if array.null_count:
        rows = [row if there else None for row, there in zip(rows, _valid(array), strict=True)]
    return rows


def _lists(array: pa.ListArray, kind: ListOf) -> list[Any]:
    elements = _values(array.values, kind.element)
    ends = array.offsets.to_pylist()
    return [
        tuple(elements[start:end]) if there else None
        for start, end, there in zip(ends, ends[1:], _valid(array), strict=False)
    ]


def _valid(array: pa.Array) -> list[bool]:
    return array.is_valid().to_pylist()  # type: ignore[no-any-return]
