"""Judge one record of nest-logs by the rules for bad input: exact and unhurried.

Clean records take the fast way in :mod:`pipeline.parsing.decode`; whatever is unusual comes here.
A record is judged field by field against the camera's type: a wrong field costs only that field, a
camera without an id only that camera, and only what is no document is lost as a whole.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pyarrow as pa

from contract.instants import format_instant
from contract.lake import MALFORMED, NO_DEVICE_ID, WRONG_FIELD

Json = Any
Camera = dict[str, Json]

DEPTH = 512
"""How many objects and lists may be nested in each other."""

_TOO_DEEP = f"nested deeper than {DEPTH} levels"

_TIMESTAMP = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d(?::?[0-5]\d)?)?",
    re.ASCII,
)


class Malformed(ValueError):
    """The record as a whole is no Nest document; the message says why."""


@dataclass
class Judged:
    """What a record holds: its cameras, cleaned to fit the type, and what is wrong with it.

    Timestamps of the cameras are text in UTC with microseconds, ready for Arrow's cast.
    ``reasons`` maps a reason to its detail, which names the cameras concerned.
    """

    cameras: list[Camera] = field(default_factory=list)
    reasons: dict[str, str] = field(default_factory=dict)


def judge(value: bytes | None, camera_type: pa.StructType) -> Judged:
    """Judge a record's value, keeping of each camera the fields that ``camera_type`` has."""
    judged = Judged()
    no_id, wrong = [], []
    try:
        cameras = dict(cameras_of(load_strictly(value)))
    except Malformed as error:
        judged.reasons[MALFORMED] = str(error)
        return judged
    for key, camera in cameras.items():
        paths: list[str] = []
        clean = _cleaned(camera, camera_type, "", paths)
        device_id = clean and clean["device_id"]
        if not device_id:
            no_id.append(_storable(key))
            continue
        judged.cameras.append(clean)
        wrong += [f"{device_id}: {path}" for path in paths]
    if no_id:
        judged.reasons[NO_DEVICE_ID] = ", ".join(sorted(no_id))
    if wrong:
        judged.reasons[WRONG_FIELD] = ", ".join(sorted(wrong))
    return judged


def load_strictly(value: bytes | None) -> Json:
    """Parse exactly one JSON text of RFC 8259; numbers stay as they are written.

    Raises Malformed with the reason.
    """
    if value is None:
        raise Malformed("no value")
    try:
        document = json.loads(
            value.decode(), parse_constant=_refuse, parse_int=_Literal, parse_float=_Literal
        )
    except UnicodeDecodeError as error:
        raise Malformed(f"not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise Malformed(f"not JSON: {error.msg} at character {error.pos}") from None
    except ValueError as error:
        raise Malformed(f"not JSON: {error}") from None
    except RecursionError:
        raise Malformed(_TOO_DEEP) from None
    if _depth(document) > DEPTH:
        raise Malformed(_TOO_DEEP)
    return document


def cameras_of(document: Json) -> Iterator[tuple[str, Json]]:
    """Yield the entries of ``devices.cameras``, each an object or null.

    Raises Malformed if the document, its devices, its cameras or one of these is anything else.
    """
    if not isinstance(document, dict):
        raise Malformed("not a JSON object")
    for name in ("devices", "cameras"):
        document = document.get(name)
        if document is None:
            return
        if not isinstance(document, dict):
            raise Malformed(f"{name} is not an object")
    for key, camera in document.items():
        if camera is not None and not isinstance(camera, dict):
            raise Malformed(f"camera {_storable(key)} is not an object")
    yield from document.items()


def parse_timestamp(text: str) -> datetime | None:
    """Read ``YYYY-MM-DDThh:mm:ss``, up to nine fraction digits, ``Z``, an offset or none (UTC).

    The result is in UTC, cut to the microsecond; None for any other spelling.
    """
    match = _TIMESTAMP.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute, second = map(int, match.groups()[:6])
    fraction, zone = match.groups()[6:]
    microsecond = int((fraction or "").ljust(6, "0")[:6])
    try:
        moment = datetime(year, month, day, hour, minute, second, microsecond, _zone(zone))
        return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _zone(text: str | None) -> timezone:
    if text is None or text == "Z":
        return UTC
    digits = text[1:].replace(":", "").ljust(4, "0")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(-offset if text[0] == "-" else offset)


class _Literal(str):
    """Text that is written as it stands: a JSON number, or a bracket between values."""

    __slots__ = ()


_COMMA, _COLON = _Literal(","), _Literal(":")


def _refuse(constant: str) -> Json:
    raise ValueError(f"{constant} is not a JSON number")


def _cleaned(value: Json, wanted: pa.DataType, path: str, wrong: list[str]) -> Json:
    """Return the value if it fits the type, else None, and note the path of what does not fit."""
    if value is None:
        return None
    if pa.types.is_struct(wanted) and isinstance(value, dict):
        return {
            part.name: _cleaned(
                value.get(part.name), part.type, f"{path}.{part.name}" if path else part.name, wrong
            )
            for part in wanted
        }
    if pa.types.is_list(wanted) and isinstance(value, list):
        return [
            _cleaned(item, wanted.value_type, f"{path}[{number}]", wrong)
            for number, item in enumerate(value)
        ]
    if pa.types.is_boolean(wanted) and isinstance(value, bool):
        return value
    if pa.types.is_string(wanted) and not isinstance(value, list):
        text = value if isinstance(value, str) else _json_text(value)
        return _storable(text)
    if pa.types.is_timestamp(wanted) and isinstance(value, str) and type(value) is not _Literal:
        moment = parse_timestamp(value)
        if moment is not None:
            return format_instant(moment, "microseconds")
    wrong.append(path)
    return None


def _json_text(value: Json) -> str:
    """Write a value as JSON without blanks, its numbers as they came, however deeply nested."""
    written: list[str] = []
    left = [value]
    while left:
        item = left.pop()
        if isinstance(item, _Literal):
            written.append(item)
        elif isinstance(item, dict):
            pairs = [part for key, inner in item.items() for part in (_COMMA, key, _COLON, inner)]
            left += reversed([_Literal("{"), *pairs[1:], _Literal("}")])
        elif isinstance(item, list):
            items = [part for inner in item for part in (_COMMA, inner)]
            left += reversed([_Literal("["), *items[1:], _Literal("]")])
        else:
            written.append(json.dumps(item, ensure_ascii=False))
    return "".join(written)


def _depth(value: Json) -> int:
    """Return how many objects and lists are nested in each other at most."""
    depth, level = 0, [value]
    while level := [item for item in level if isinstance(item, dict | list)]:
        depth += 1
        level = [
            inner for item in level for inner in (item.values() if isinstance(item, dict) else item)
        ]
    return depth


def _storable(text: str) -> str:
    """Replace lone surrogates, which JSON can spell and UTF-8 cannot, by question marks."""
    return text.encode(errors="replace").decode()
