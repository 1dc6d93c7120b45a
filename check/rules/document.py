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

    Lone surrogates in its texts are replaced. In its names they are not, because names that differ
    must stay different.
    """
    if value is None:
        raise MalformedError("no value")
    try:
        text = value.decode("utf-8")
    except UnicodeDecodeError as error:
        raise MalformedError(f"not UTF-8: {error.reason}") from None
    if text.count("[") + text.count("{") > MAX_DEPTH and nesting_depth(text) > MAX_DEPTH:
        raise MalformedError(f"nested deeper than {MAX_DEPTH}")
    try:
        document = _DECODER.decode(text)
    except ValueError as error:
        raise MalformedError(f"not JSON: {error}") from None
    if type(document) is not dict:
        raise MalformedError("not an object")
    return _with_clean_texts(document) if "\\u" in text else document


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
    """Return a value as JSON without blanks, its numbers as they were written."""
    pieces: list[str] = []
    _write(value, pieces)
    return replace_lone_surrogates("".join(pieces))


def replace_lone_surrogates(text: str) -> str:
    """Replace each lone surrogate, which UTF-8 cannot hold, by a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def parse_json(text: str) -> Any:
    """Parse any JSON text; ValueError if it is not JSON."""
    return _DECODER.decode(text)


def nesting_depth(text: str) -> int:
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


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _parse_integer(digits: str) -> int | Decimal:
    return int(digits) if len(digits) < _LONGEST_INT and digits != "-0" else Decimal(digits)


# Python's scanner already refuses control characters, leading zeros and other blanks.
_DECODER = json.JSONDecoder(
    parse_constant=_refuse_constant, parse_int=_parse_integer, parse_float=Fraction
)


def _write(value: object, pieces: list[str]) -> None:
    """Append the parts of a value's JSON; one call for each level of nesting."""
    if isinstance(value, Fraction):
        pieces.append(value.text)
    elif isinstance(value, Decimal):
        pieces.append(str(value))
    elif isinstance(value, dict):
        before = "{"
        for name, element in value.items():
            pieces += (before, json.dumps(name, ensure_ascii=False), ":")
            _write(element, pieces)
            before = ","
        pieces.append("}" if value else "{}")
    elif isinstance(value, list):
        before = "["
        for element in value:
            pieces.append(before)
            _write(element, pieces)
            before = ","
        pieces.append("]" if value else "[]")
    else:
        pieces.append(json.dumps(value, ensure_ascii=False))


def _with_clean_texts(value: Any) -> Any:
    """Replace the lone surrogates in all texts that are not names."""
    if isinstance(value, str):
        return replace_lone_surrogates(value)
    if isinstance(value, list):
        return [_with_clean_texts(element) for element in value]
    if isinstance(value, dict):
        return {name: _with_clean_texts(element) for name, element in value.items()}
    return value
