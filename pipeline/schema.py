"""The schema of a message, the parts of it that the queries parse, and the tables' columns."""

import json
from typing import cast

import pyarrow as pa
from pyspark.sql.pandas.types import to_arrow_type
from pyspark.sql.types import (
    DataType,
    IntegerType,
    LongType,
    MapType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

from contract.lake import POSITION, REJECTION
from contract.message import MESSAGE_SCHEMA

_POSITION_TYPES = (IntegerType(), LongType(), TimestampType())

POSITION_SCHEMA = StructType(
    [StructField(name, kind) for name, kind in zip(POSITION, _POSITION_TYPES, strict=True)]
)
"""Where a row's record is in nest-logs, and the record's timestamp."""

QUARANTINE_SCHEMA = StructType(
    [*POSITION_SCHEMA, *(StructField(name, StringType()) for name in REJECTION)]
)
"""The columns of the table ``quarantine``."""


def message_schema() -> StructType:
    """Load the schema of a whole message: metadata, devices and structures."""
    return StructType.fromJson(json.loads(MESSAGE_SCHEMA.read_text()))


def camera_schema() -> StructType:
    """Return the schema of one camera object, every field that the archive stores."""
    cameras = _field(_field(message_schema(), "devices"), "cameras")
    return cast(StructType, cast(MapType, cameras).valueType)


def camera_table_schema() -> StructType:
    """Return the columns of the table ``camera``: all fields of a camera, then the position."""
    return StructType([*camera_schema(), *POSITION_SCHEMA])


def sighting_schema() -> StructType:
    """Return the part of a camera that counting needs, pruned from the full schema."""
    return prune(
        camera_schema(), {"device_id": {}, "last_event": {"has_person": {}, "start_time": {}}}
    )


def prune(schema: StructType, wanted: dict[str, dict]) -> StructType:  # type: ignore[type-arg]
    """Keep the wanted fields of a struct, nested ones by nested dicts, in the schema's order.

    Raises KeyError for a field that the schema does not have.
    """
    for name in wanted.keys() - set(schema.names):
        raise KeyError(f"the schema has no field {name!r}")
    fields = []
    for field in schema:
        if field.name in wanted:
            inner = wanted[field.name]
            kept = prune(field.dataType, inner) if inner else field.dataType  # type: ignore[arg-type]
            fields.append(StructField(field.name, kept))
    return StructType(fields)


def arrow_struct(schema: StructType) -> pa.StructType:
    """Return the Arrow type in which Python workers build rows of this schema."""
    return to_arrow_type(schema, timezone="UTC")


def _field(schema: DataType, name: str) -> DataType:
    return cast(StructType, schema)[name].dataType
