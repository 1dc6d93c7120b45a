"""Parse a record's value by the rules: exactly one JSON object (RFC 8259) in UTF-8."""

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any, NoReturn

MAX_DEPTH = 512
"""Objects and lists may be nested this deep; the document itself counts as one."""

_LONGEST_INT = 4000  # digits; Python refuses to parse an int of more than 4300
_STRUCTURE = re.compile(r'"(?:[^"\\]++|\\.?)*+"?|[\[\]{}]', re.DOTALL)
"""A string, which may be cut off at the end of the text, or a bracket outside strings."""


class MalformedError(ValueError):
    """The record as a whole cannot be used; the message says why."""


def parse_document(value: bytes | None) -> dict[str, Any]:
    """Return the document in a record's value; MalformedError if there is none.

    Lone surrogates, which UTF-8 cannot hold, are replaced by question marks.
    """
    if value is None:
        raise MalformedError("no value")
    try:
        text = value.decode("utf-8")
    except UnicodeDecodeError as error:
        raise MalformedError(f"not UTF-8: {error.reason}") from None
    if text.count("[") + text.count("{") > MAX_DEPTH and _depth(text) > MAX_DEPTH:
        raise MalformedError(f"nested deeper than {MAX_DEPTH}")
    try:
        document = _DECODER.decode(text)
    except ValueError as error:
        raise MalformedError(f"not JSON: {error}") from None
    if type(document) is not dict:
        raise MalformedError("not an object")
    return _without_lone_surrogates(document) if "\\u" in text else document


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Raise Python's recursion limit, so that the deepest valid document can be parsed."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 20 * MAX_DEPTH))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


class Fraction(float):
    """A number with a fraction or an exponent, and the text that it was parsed from."""

    __slots__ = ("text",)
    text: str

    def __new__(cls, text: str) -> "Fraction":
        """Parse the number; one that is too large is infinite."""
        self = super().__new__(cls, text)
        self.text = text
        return self


def json_text(value: object) -> str:
    """Return a value as JSON without blanks; a number that is the whole value stays as written."""
    if isinstance(value, Fraction):
        return value.text
    if isinstance(value, Decimal):
        return str(value)
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, default=str)


def parse_json(text: str) -> Any:
    """Parse any JSON text; ValueError if it is not JSON."""
    return _DECODER.decode(text)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _parse_integer(digits: str) -> int | Decimal:
    return int(digits) if len(digits) < _LONGEST_INT and digits != "-0" else Decimal(digits)


# Python's scanner already refuses control characters, leading zeros and other blanks.
_DECODER = json.JSONDecoder(
    parse_constant=_refuse_constant, parse_int=_parse_integer, parse_float=Fraction
)


def _depth(text: str) -> int:
    """Count how deep the brackets outside strings are nested; right for every valid document."""
    depth = deepest = 0
    for match in _STRUCTURE.finditer(text):
        character = match.group()
        if character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    return deepest


def _without_lone_surrogates(value: Any) -> Any:
    """Replace each lone surrogate in names and texts by a question mark."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list):
        return [_without_lone_surrogates(element) for element in value]
    if isinstance(value, dict):
        return {
            _without_lone_surrogates(name): _without_lone_surrogates(element)
            for name, element in value.items()
        }
    return value
