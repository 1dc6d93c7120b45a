"""JSON that came from anybody, written for people to read."""

from typing import Any

import orjson

from contract.json_shape import json_depth

_LONGEST_INDENTED = 1_000_000
"""Bytes. Each line begins with as many blanks as it is nested deep, twice: a message of a megabyte
could become hundreds."""


def readable_json(raw: bytes, *, indent: bool) -> str | None:
    """Return JSON on one line or indented; None for what is no JSON, or nests too deeply to write.

    What would be too long indented stays on one line.
    """
    try:
        value = orjson.loads(raw)
        line = orjson.dumps(value)
    except (orjson.JSONDecodeError, orjson.JSONEncodeError):
        return None
    if indent and _indented_length(value, line) <= _LONGEST_INDENTED:
        line = orjson.dumps(value, option=orjson.OPT_INDENT_2)
    return line.decode()


def _indented_length(value: Any, line: bytes) -> int:
    """Return an upper bound of how many bytes the value has when it is indented."""
    brackets = line.count(b"[") + line.count(b"{")
    lines = line.count(b",") + 2 * brackets
    return len(line) + lines * (2 * json_depth(value) + 1) + line.count(b":")
