"""Lay out parsed cameras as rows of the table camera, without credentials in the URLs."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from bench.contenders.camera_writer import camera_columns


class Positions(NamedTuple):
    """Partition, offset and timestamp (µs) of each message."""

    partitions: Sequence[int]
    offsets: Sequence[int]
    timestamps: Sequence[int]


class CameraRows:
    """Builds Arrow tables in the layout of the table camera."""

    def __init__(self) -> None:
        self._schema = camera_columns()
        self._camera = pa.struct(list(self._schema)[:-3])
        self._parsed = _timestamps_as_text(self._camera)

    def lay_out(
        self, cameras: list[dict[str, Any]], message_of_camera: list[int], positions: Positions
    ) -> pa.Table:
        """Return one row per camera; its message is a number in ``positions``."""
        columns = _cast_and_redact(pa.array(cameras, self._parsed), self._camera, "").flatten()
        columns += _positions(positions, pa.array(message_of_camera, pa.int32()))
        return pa.Table.from_arrays(columns, schema=self._schema)


def _positions(positions: Positions, rows: pa.Array) -> list[pa.Array]:
    """Return for each camera the partition, offset and timestamp of its message."""
    timestamp = pa.array(positions.timestamps, pa.int64()).cast(pa.timestamp("us", "UTC"))
    return [
        pa.array(positions.partitions, pa.int32()).take(rows),
        pa.array(positions.offsets, pa.int64()).take(rows),
        timestamp.take(rows),
    ]


def _cast_and_redact(column: pa.Array, target: pa.DataType, name: str) -> pa.Array:
    """Cast timestamps, and remove from URLs what may be a credential."""
    if pa.types.is_struct(target):
        parts = [
            _cast_and_redact(part, field.type, field.name)
            for part, field in zip(column.flatten(), target, strict=True)
        ]
        return pa.StructArray.from_arrays(parts, fields=list(target), mask=column.is_null())
    if pa.types.is_timestamp(target):
        return column.cast(target)
    if name.endswith("_url"):
        column = pc.replace_substring_regex(column, r"(?s)[?#].*$", "")
        if pc.any(pc.match_substring(column, "@")).as_py():
            column = pc.replace_substring_regex(column, r"^([^/]*//)?[^/]*@", r"\1")
    return column


def _timestamps_as_text(target: pa.DataType) -> pa.DataType:
    """Return the type with text in place of timestamps, as JSON has them."""
    if pa.types.is_struct(target):
        return pa.struct([field.with_type(_timestamps_as_text(field.type)) for field in target])
    return pa.string() if pa.types.is_timestamp(target) else target
