"""Strict JSON: exactly one value of RFC 8259 in UTF-8, its numbers kept as they are written."""

import json
from typing import Any

from contract.json_shape import json_depth

Json = Any

MAX_DEPTH = 512
"""How many objects and lists may be nested in each other."""

_TOO_DEEP = f"nested deeper than {MAX_DEPTH} levels"


class Malformed(ValueError):
    """The record as a whole is no Nest document; the message says why."""


class RawJson(str):
    """Text that goes into JSON without quotes: a number, or a bracket between values."""

    __slots__ = ()


_COMMA, _COLON = RawJson(","), RawJson(":")


def load_strictly(value: bytes | None) -> Json:
    """Parse a record's value; its numbers become ``RawJson``.

    Raises Malformed with the reason.
    """
    if value is None:
        raise Malformed("no value")
    try:
        document = json.loads(
            value.decode(), parse_constant=_refuse, parse_int=RawJson, parse_float=RawJson
        )
    except UnicodeDecodeError as error:
        raise Malformed(f"not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        what = error.msg.removesuffix(" at")  # as in "Unterminated string starting at"
        raise Malformed(f"not JSON: {what} at character {error.pos}") from None
    except ValueError as error:
        raise Malformed(f"not JSON: {error}") from None
    except RecursionError:
        raise Malformed(_TOO_DEEP) from None
    if json_depth(document) > MAX_DEPTH:
        raise Malformed(_TOO_DEEP)
    return document


def dump_json(value: Json) -> str:
    """Write a parsed value as JSON without blanks, its numbers as they were written.

    It does not recurse, so any depth can be written.
    """
    written: list[str] = []
    remaining = [value]
    while remaining:
        item = remaining.pop()
        if isinstance(item, RawJson):
            written.append(item)
        elif isinstance(item, dict):
            pairs = [part for key, inner in item.items() for part in (_COMMA, key, _COLON, inner)]
            remaining += reversed([RawJson("{"), *pairs[1:], RawJson("}")])
        elif isinstance(item, list):
            items = [part for inner in item for part in (_COMMA, inner)]
            remaining += reversed([RawJson("["), *items[1:], RawJson("]")])
        else:
            written.append(json.dumps(item, ensure_ascii=False))
    return "".join(written)


def replace_surrogates(text: str) -> str:
    """Replace lone surrogates, which JSON can spell and UTF-8 cannot, by question marks."""
    return text.encode(errors="replace").decode()


def _refuse(constant: str) -> Json:
    raise ValueError(f"{constant} is not a JSON number")
