"""Read a record's value as RFC 8259 and the design want it: one JSON object, nothing around it."""

import json
import re
from decimal import Decimal
from typing import Any, NoReturn

MAX_DEPTH = 512
"""Objects and lists may be nested this deep, the document itself counting as one."""

_LONGEST_INT = 4000  # digits; Python refuses to read more than 4300 as an int
_STRUCTURE = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)


class MalformedError(ValueError):
    """The record as a whole cannot be used; says why in a few words."""


def decode(value: bytes | None) -> dict[str, Any]:
    """Return the document in a record's value; MalformedError if it is none.

    Lone surrogates, which no UTF-8 text can hold, come back as question marks.
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
    return _encodable(document) if "\\u" in text else document


class Fraction(float):
    """A number with a fraction or exponent, which remembers how it was written."""

    __slots__ = ("text",)
    text: str

    def __new__(cls, text: str) -> "Fraction":
        """Read the number; one that is too large is infinite."""
        self = super().__new__(cls, text)
        self.text = text
        return self


def json_text(value: object) -> str:
    """Write a value as JSON without blanks, a bare number as it came."""
    if isinstance(value, Fraction):
        return value.text
    if isinstance(value, Decimal):
        return str(value)
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, default=str)


def read_json(text: str) -> Any:
    """Read any JSON text; ValueError if it is none."""
    return _DECODER.decode(text)


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _integer(digits: str) -> int | Decimal:
    return int(digits) if len(digits) < _LONGEST_INT and digits != "-0" else Decimal(digits)


# The scanner is strict about control characters, leading zeros and blanks by itself.
_DECODER = json.JSONDecoder(parse_constant=_refuse, parse_int=_integer, parse_float=Fraction)


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


def _encodable(value: Any) -> Any:
    """Replace each lone surrogate in names and texts, as any writer of UTF-8 has to."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list):
        return [_encodable(element) for element in value]
    if isinstance(value, dict):
        return {_encodable(name): _encodable(element) for name, element in value.items()}
    return value
