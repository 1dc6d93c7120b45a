"""What one record of nest-logs must have become: its archive rows, sightings and what is wrong.

This is the check's own reading of the design's one rule for bad input; it shares no code with the
pipeline, so that the same mistake would have to be made twice to pass.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

from check.document import MalformedError, decode, json_text
from check.fields import CAMERA, LAST_EVENT, JsonText
from check.redaction import difference, exposes

_EVENT = list(CAMERA.fields).index("last_event")
_HAS_PERSON = list(LAST_EVENT.fields).index("has_person")
_START = list(LAST_EVENT.fields).index("start_time")

Row = tuple[Any, ...]


class Detail:
    """The cameras or fields that a reason concerns, sorted; one named twice may stand once.

    What is a credential by its looks is hidden in the stored text, as in raw text.
    """

    __slots__ = ("entries",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, entries: list[str]) -> None:
        self.entries = sorted(entries)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Detail):
            return self.entries == other.entries
        texts = (", ".join(self.entries), ", ".join(sorted(set(self.entries))))
        return isinstance(other, str) and any(difference(text, other) is None for text in texts)

    def __repr__(self) -> str:
        return repr(", ".join(self.entries))


class AnyText:
    """Text that says something, without a credential in it; what it says is free."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, AnyText):
            return True
        return isinstance(other, str) and bool(other.strip()) and not exposes(other)

    def __repr__(self) -> str:
        return "some text"


class Judgement(NamedTuple):
    """A record's archive rows (columns in the order of ``COLUMNS``), sightings and reasons.

    A sighting is (device_id, start_time in µs). The detail of ``malformed``, which is free text,
    is ``AnyText``.
    """

    rows: list[Row]
    sightings: list[tuple[str, int]]
    reasons: dict[str, Detail | AnyText]


@dataclass(frozen=True)
class Judge:
    """Judges records; the clock skew is in microseconds."""

    clock_skew: int

    def __call__(self, value: bytes | None, timestamp: int) -> Judgement:
        """Judge a record's value, stamped at ``timestamp`` (µs since 1970, UTC)."""
        try:
            cameras = _cameras(decode(value))
        except MalformedError:
            return Judgement([], [], {"malformed": AnyText()})
        rows: list[Row] = []
        sightings: list[tuple[str, int]] = []
        unnamed: list[str] = []
        wrong: list[str] = []
        future: list[str] = []
        latest_start = timestamp + self.clock_skew
        for key, camera in cameras.items():
            paths: list[str] = []
            row = (*CAMERA.read(camera, "", paths), timestamp) if camera is not None else (None,)
            device_id = row[0]
            if device_id is None or device_id == "":
                unnamed.append(key)
                continue
            if type(device_id) is JsonText:
                device_id = json_text(device_id.value)
            rows.append(row)
            wrong += [f"{device_id}: {path}" for path in paths]
            event = row[_EVENT]
            if event is None or event[_START] is None:
                continue
            if event[_START] > latest_start:
                future.append(device_id)
            if event[_HAS_PERSON]:
                sightings.append((device_id, event[_START]))
        found = {"camera": unnamed, "field": wrong, "future": future}
        reasons: dict[str, Detail | AnyText] = {
            reason: Detail(entries) for reason, entries in found.items() if entries
        }
        return Judgement(rows, sightings, reasons)


def _cameras(document: dict[str, Any]) -> dict[str, dict[str, Any] | None]:
    """Return the document's cameras by map key; MalformedError where there is no telling."""
    cameras = _object(_object(document, "devices"), "cameras")
    for key in cameras:
        _object(cameras, key)
    return cameras


def _object(parent: dict[str, Any], name: str) -> dict[str, Any]:
    value = parent.get(name)
    if value is None:
        return {}
    if type(value) is not dict:
        raise MalformedError(f"{name} is no object")
    return value
