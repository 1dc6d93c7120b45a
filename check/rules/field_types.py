"""The types of the fields that the archive stores, and how a value of each is parsed.

A simple type is a function. It takes a value of the document (never null) and returns what the
archive must hold, or ``WRONG_TYPE``. Lists and structs contain other types. They add the path of
each value of a wrong type to ``wrong_paths`` and put None in its place, and nowhere else.
"""

import json
from collections.abc import Callable
from typing import Any

from check.rules.document import MAX_DEPTH, nesting_depth
from check.rules.entries import Entries
from check.rules.instants import parse_instant
from check.rules.matchers import HiddenText, JsonText
from check.rules.redaction import clean_text, cut_url, has_secret

WRONG_TYPE = object()
"""What a simple type returns for a value that is not of this type."""


def parse_text(value: Any) -> Any:
    """Keep text, its addresses cut; other types become JSON text; a list is a wrong type."""
    if type(value) is str:
        kept = clean_text(value) if ":/" in value else value
        return _hide_in_object(value, kept) if "{" in value else kept
    return WRONG_TYPE if type(value) is list else JsonText(value)


def parse_url(value: Any) -> Any:
    """Keep a URL without its query, fragment and user; else as in a text field."""
    if type(value) is str:
        return _hide_in_object(value, cut_url(value)) if "{" in value else cut_url(value)
    return WRONG_TYPE if type(value) is list else JsonText(value)


def _hide_in_object(text: str, otherwise: str) -> Any:
    """Hide the credentials in a text that is itself a JSON object or a list, and keep any other.

    A parser may give up a text that nests very deeply before it sees that it is no JSON, and then
    either is right.
    """
    if not text.lstrip().startswith(("{", "[")):
        return otherwise
    try:
        json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except RecursionError:
        pass
    except json.JSONDecodeError as error:
        is_deep = nesting_depth(text[: error.pos]) > MAX_DEPTH
        return HiddenText(text, otherwise) if is_deep else otherwise
    return HiddenText(text) if has_secret(text) else text


def parse_boolean(value: Any) -> Any:
    """Keep a boolean."""
    return value if type(value) is bool else WRONG_TYPE


def parse_timestamp(value: Any) -> Any:
    """Keep a timestamp as microseconds since 1970, UTC."""
    instant = parse_instant(value) if type(value) is str else None
    return WRONG_TYPE if instant is None else instant


class ListOf:
    """A list of values of one type, kept as a tuple; null elements stay."""

    def __init__(self, element: "FieldType") -> None:
        self.element = element

    def parse(self, value: Any, path: str, wrong_paths: Entries) -> Any:
        """Parse each element by itself."""
        if type(value) is not list:
            wrong_paths.add(path)
            return None
        element_type = self.element
        return tuple(
            None
            if element is None
            else _parse(element_type, element, f"{path}[{index}]", wrong_paths)
            for index, element in enumerate(value)
        )


class Struct:
    """An object with known fields, kept as a tuple in their order; other fields are ignored."""

    def __init__(self, fields: dict[str, "FieldType"]) -> None:
        self.fields = fields
        self._steps = [
            (name, field_type, not isinstance(field_type, ListOf | Struct))
            for name, field_type in fields.items()
        ]

    def parse(self, value: Any, path: str, wrong_paths: Entries) -> Any:
        """Parse each field by itself."""
        if type(value) is not dict:
            wrong_paths.add(path)
            return None
        get = value.get
        row: list[Any] = []
        for name, field_type, is_simple in self._steps:
            element = get(name)
            if element is not None:
                if not is_simple:
                    element_path = f"{path}.{name}" if path else name
                    element = _parse(field_type, element, element_path, wrong_paths)
                # Text in a text field, the most common case, stays as it is without a call.
                elif (
                    type(element) is not str
                    or field_type is not parse_text
                    or ":/" in element
                    or "{" in element
                ):
                    element = field_type(element)  # type: ignore[operator]
                    if element is WRONG_TYPE:
                        wrong_paths.add(f"{path}.{name}" if path else name)
                        element = None
            row.append(element)
        return tuple(row)


FieldType = Callable[[Any], Any] | ListOf | Struct


def _parse(field_type: FieldType, value: Any, path: str, wrong_paths: Entries) -> Any:
    """Parse a value of any type that is not null."""
    if isinstance(field_type, ListOf | Struct):
        return field_type.parse(value, path, wrong_paths)
    kept = field_type(value)
    if kept is WRONG_TYPE:
        wrong_paths.add(path)
        return None
    return kept
