"""The camera fields that the archive stores, and how a value of each is judged.

A simple kind is a function that turns a value of the document (never null) into what the archive
must hold, or says that it is WRONG. Lists and structs hold others: they add the path of each wrong
value to ``wrong`` and make it None, as small a thing as can be.
"""

from collections.abc import Callable
from typing import Any

from check.document import json_text, read_json
from check.instants import parse_instant
from check.redaction import cut_url

WRONG = object()
"""A value of a wrong type."""


class JsonText:
    """The JSON text of a number, boolean or object in a text field, equal to any spelling of it."""

    __slots__ = ("value",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: object) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        if isinstance(other, JsonText):
            return _same(self.value, other.value)
        try:
            return isinstance(other, str) and _same(self.value, read_json(other))
        except ValueError:
            return False

    def __repr__(self) -> str:
        return repr(json_text(self.value))


def _same(one: Any, other: Any) -> bool:
    """Compare parsed JSON; True is not 1, as it is to Python."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[k], other[k]) for k in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def read_text(value: Any) -> Any:
    """Keep text; a number, boolean or object as its JSON text; a list is a wrong type."""
    if type(value) is str:
        return value
    return WRONG if type(value) is list else JsonText(value)


def read_url(value: Any) -> Any:
    """Keep a URL without its query, fragment and user."""
    if type(value) is str:
        return cut_url(value)
    if type(value) is list:
        return WRONG
    text = json_text(value)
    cut = cut_url(text)
    return JsonText(value) if cut == text else cut


def read_flag(value: Any) -> Any:
    """Keep a boolean."""
    return value if type(value) is bool else WRONG


def read_instant(value: Any) -> Any:
    """Keep a timestamp as microseconds since 1970, UTC."""
    instant = parse_instant(value) if type(value) is str else None
    return WRONG if instant is None else instant


class ListOf:
    """A list of values of one kind, stored as a tuple; null elements stay."""

    def __init__(self, element: "Kind") -> None:
        self.element = element

    def read(self, value: Any, path: str, wrong: list[str]) -> Any:
        """Judge each element by itself."""
        if type(value) is not list:
            wrong.append(path)
            return None
        kind = self.element
        return tuple(
            None if element is None else read(kind, element, f"{path}[{i}]", wrong)
            for i, element in enumerate(value)
        )


class Struct:
    """An object with known fields, stored as a tuple in their order; others are let pass."""

    def __init__(self, fields: dict[str, "Kind"]) -> None:
        self.fields = fields
        self._steps = [
            (name, kind, not isinstance(kind, ListOf | Struct)) for name, kind in fields.items()
        ]

    def read(self, value: Any, path: str, wrong: list[str]) -> Any:
        """Judge each field by itself."""
        if type(value) is not dict:
            wrong.append(path)
            return None
        get = value.get
        row: list[Any] = []
        for name, kind, simple in self._steps:
            element = get(name)
            if element is not None:
                if not simple:
                    element = read(kind, element, f"{path}.{name}" if path else name, wrong)
                elif (
                    type(element) is not str or kind is not read_text
                ):  # the commonest case is done
                    element = kind(element)  # type: ignore[operator]
                    if element is WRONG:
                        wrong.append(f"{path}.{name}" if path else name)
                        element = None
            row.append(element)
        return tuple(row)


Kind = Callable[[Any], Any] | ListOf | Struct


def read(kind: Kind, value: Any, path: str, wrong: list[str]) -> Any:
    """Judge a value of any kind that is not null."""
    if isinstance(kind, ListOf | Struct):
        return kind.read(value, path, wrong)
    kept = kind(value)
    if kept is WRONG:
        wrong.append(path)
        return None
    return kept


LAST_EVENT = Struct(
    {
        "has_sound": read_flag,
        "has_motion": read_flag,
        "has_person": read_flag,
        "start_time": read_instant,
        "end_time": read_instant,
        "urls_expire_time": read_instant,
        "web_url": read_url,
        "app_url": read_url,
        "image_url": read_url,
        "animated_image_url": read_url,
        "activity_zone_ids": ListOf(read_text),
    }
)
CAMERA = Struct(
    {
        "device_id": read_text,
        "software_version": read_text,
        "structure_id": read_text,
        "where_id": read_text,
        "where_name": read_text,
        "name": read_text,
        "name_long": read_text,
        "is_online": read_flag,
        "is_streaming": read_flag,
        "is_audio_input_enabled": read_flag,
        "last_is_online_change": read_instant,
        "is_video_history_enabled": read_flag,
        "web_url": read_url,
        "app_url": read_url,
        "is_public_share_enabled": read_flag,
        "activity_zones": ListOf(Struct({"name": read_text, "id": read_text})),
        "public_share_url": read_url,
        "snapshot_url": read_url,
        "last_event": LAST_EVENT,
    }
)
COLUMNS = (*CAMERA.fields, "timestamp")
"""The columns of an archive row beside its position, in the order of the check's tuples."""
