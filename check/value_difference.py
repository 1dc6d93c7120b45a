"""How an expected and a stored value differ, written for people."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from check.rules.columns import Columns
from check.rules.expected_record import Row
from check.rules.field_types import FieldType, ListOf, Struct, parse_timestamp
from check.rules.instants import format_instant
from check.rules.matchers import Matcher, matches
from check.rules.redaction import text_without_secrets

_LONGEST = 80


class ValueDifference(NamedTuple):
    """A value that differs: its path within the row, and both values as text."""

    path: str
    expected: str
    found: str


def row_differences(columns: Columns, expected: Row, stored: Row) -> Iterator[ValueDifference]:
    """Yield what differs between two rows that have these columns."""
    for (name, field_type), one, other in zip(columns.items(), expected, stored, strict=True):
        yield from value_differences(name, field_type, one, other)


def value_differences(
    path: str, field_type: FieldType, expected: Any, stored: Any
) -> list[ValueDifference]:
    """Return what differs between two values, field by field within structs and lists."""
    if matches(expected, stored):
        return []
    if isinstance(expected, tuple) and isinstance(stored, tuple):
        parts: list[tuple[str, FieldType]] = []
        if isinstance(field_type, Struct):
            parts = [(f"{path}.{name}", inner) for name, inner in field_type.fields.items()]
        elif isinstance(field_type, ListOf) and len(expected) == len(stored):
            parts = [(f"{path}[{i}]", field_type.element) for i in range(len(expected))]
        if parts:
            return [
                difference
                for (part, inner), one, other in zip(parts, expected, stored, strict=True)
                for difference in value_differences(part, inner, one, other)
            ]
    found = format_value(stored, field_type)
    if isinstance(expected, Matcher) and (why := expected.explain(stored)):
        found += f" ({why})"
    return [ValueDifference(path, format_value(expected, field_type), found)]


def format_value(value: object, field_type: FieldType | None = None) -> str:
    """Return a value as one short line: timestamps as ISO 8601, credentials hidden."""
    if value is None:
        return "null"
    if field_type is parse_timestamp and type(value) is int:
        return format_instant(value)
    text = text_without_secrets(value if isinstance(value, str) else repr(value))
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
