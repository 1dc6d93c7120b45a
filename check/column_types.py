"""Whether the columns of a table have the types that they must have."""

from collections.abc import Callable, Iterable
from typing import Any

import pyarrow as pa

from check.rules.columns import Columns
from check.rules.field_types import (
    FieldType,
    ListOf,
    Struct,
    parse_boolean,
    parse_text,
    parse_timestamp,
    parse_url,
)


def _is_text(arrow_type: pa.DataType) -> bool:
    kinds = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return any(is_kind(arrow_type) for is_kind in kinds)


def _is_instant(arrow_type: pa.DataType) -> bool:
    return bool(pa.types.is_timestamp(arrow_type)) and arrow_type.tz is not None


_SIMPLE: dict[Callable[[Any], Any], Callable[[pa.DataType], bool]] = {
    parse_text: _is_text,
    parse_url: _is_text,
    parse_boolean: pa.types.is_boolean,
    parse_timestamp: _is_instant,
}


def names_with_wrong_types(schema: Iterable[pa.Field], columns: Columns) -> list[str]:
    """Return the names of a table's columns; one of a wrong type has it in its name.

    The values alone do not tell: to Python, 1 and true are equal.
    """
    return [
        field.name
        if field.name not in columns or _is_of(field.type, columns[field.name])
        else f"{field.name} as {field.type}"
        for field in schema
    ]


def _is_of(arrow_type: pa.DataType, field_type: FieldType) -> bool:
    """Tell whether a type is the expected one; a struct may have more fields."""
    if isinstance(field_type, Struct):
        return pa.types.is_struct(arrow_type) and all(
            name in arrow_type.names and _is_of(arrow_type.field(name).type, inner)
            for name, inner in field_type.fields.items()
        )
    if isinstance(field_type, ListOf):
        return pa.types.is_list(arrow_type) and _is_of(arrow_type.value_type, field_type.element)
    return _SIMPLE[field_type](arrow_type)
