"""Turn Arrow's columns into rows: tuples of plain values, as the check's own rules make them."""

from collections import defaultdict
from typing import Any

import pyarrow as pa

from check.positions import Position
from check.rules.columns import Columns
from check.rules.expected_record import Row
from check.rules.field_types import FieldType, ListOf, Struct

Rows = dict[Position, list[Row]]
"""Rows by the record that they come from."""

_PER_SECOND = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}


def rows_by_position(table: pa.Table | pa.RecordBatch, columns: Columns) -> Rows:
    """Group a table's rows by record; each row is a tuple of the named columns.

    Timestamps are microseconds since 1970, UTC; structs and lists are tuples. A column that the
    table lacks is null.
    """
    rows: Rows = defaultdict(list)
    values = [_values(_column(table, name), field_type) for name, field_type in columns.items()]
    partitions, offsets = table["partition"].to_pylist(), table["offset"].to_pylist()
    for partition, offset, row in zip(partitions, offsets, zip(*values, strict=True), strict=True):
        rows[partition, offset].append(row)
    return rows


def _column(table: pa.Table | pa.RecordBatch, name: str) -> pa.Array:
    if name not in table.schema.names:
        return pa.nulls(table.num_rows)
    column = table[name]
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _values(array: pa.Array, field_type: FieldType) -> list[Any]:
    """Return a column's values; where it has another type than expected, as Arrow gives them."""
    if isinstance(field_type, Struct) and pa.types.is_struct(array.type):
        return _structs(array, field_type)
    if isinstance(field_type, ListOf) and pa.types.is_list(array.type):
        return _lists(array, field_type)
    if pa.types.is_timestamp(array.type):
        return _instants(array)
    return array.to_pylist()  # type: ignore[no-any-return]


def _instants(array: pa.Array) -> list[int | None]:
    """Return timestamps of any unit in microseconds; Arrow's own cast refuses what it must cut."""
    numbers: list[int | None] = array.cast(pa.int64()).to_pylist()
    if array.type.unit == "us":
        return numbers
    per_second = _PER_SECOND[array.type.unit]
    return [None if each is None else each * 1_000_000 // per_second for each in numbers]


def _structs(array: pa.StructArray, struct: Struct) -> list[Any]:
    fields = dict(zip(array.type.names, array.flatten(), strict=True))
    columns = [
        _values(fields[name], field_type) if name in fields else [None] * len(array)
        for name, field_type in struct.fields.items()
    ]
    rows: list[Any] = list(zip(*columns, strict=True))
    if array.null_count:
        rows = [
            row if is_valid else None for row, is_valid in zip(rows, _validity(array), strict=True)
        ]
    return rows


def _lists(array: pa.ListArray, list_type: ListOf) -> list[Any]:
    elements = _values(array.values, list_type.element)
    offsets = array.offsets.to_pylist()
    return [
        tuple(elements[start:end]) if is_valid else None
        for start, end, is_valid in zip(offsets, offsets[1:], _validity(array), strict=False)
    ]


def _validity(array: pa.Array) -> list[bool]:
    return array.is_valid().to_pylist()  # type: ignore[no-any-return]
