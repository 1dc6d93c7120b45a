"""What one record of nest-logs must have become: archive rows, quarantine rows and sightings.

These are the design's rules for bad input, as the check has them; no code is shared with the
pipeline, so the same mistake would have to be made twice to pass.
"""

from typing import Any, NamedTuple

from check.rules.columns import CAMERA, LAST_EVENT, index_of
from check.rules.detail import Detail, key_spellings
from check.rules.document import MalformedError, parse_document, replace_lone_surrogates
from check.rules.entries import Entries, cut_name
from check.rules.instants import is_in_calendar
from check.rules.matchers import FreeText, HiddenText, JsonText, RawText

_DEVICE_ID = index_of("device_id", CAMERA.fields)
_EVENT = index_of("last_event", CAMERA.fields)
_HAS_PERSON = index_of("has_person", LAST_EVENT.fields)
_START_TIME = index_of("start_time", LAST_EVENT.fields)

Row = tuple[Any, ...]
"""Values in the order of a table's columns; an expected row may hold a ``Matcher``."""


class ExpectedRecord(NamedTuple):
    """Rows in the order of ``ARCHIVE_COLUMNS`` and of ``QUARANTINE_COLUMNS``, and sightings.

    A sighting is (device_id, start_time in µs since 1970, UTC).
    """

    archive_rows: list[Row]
    quarantine_rows: list[Row]
    sightings: list[tuple[str, int]]


def expected_record(value: bytes | None, timestamp: int | None, clock_skew: int) -> ExpectedRecord:
    """Work out what a record must become from its value and timestamp (µs since 1970, UTC).

    A record without a usable timestamp (None) is malformed as a whole. An event that starts later
    than the timestamp by more than ``clock_skew`` (µs) is from the future.
    """
    try:
        if timestamp is None:
            raise MalformedError("record timestamp out of range")
        cameras = _cameras(parse_document(value))
    except MalformedError:
        malformed = _quarantine_rows(value, timestamp, {"malformed": FreeText()})
        return ExpectedRecord([], malformed, [])
    rows: list[Row] = []
    sightings: list[tuple[str, int]] = []
    without_id, wrong_fields, from_future = Entries(), Entries(), Entries()
    wrong_paths = Entries()
    latest_start = timestamp + clock_skew
    for key, camera in cameras.items():
        if wrong_paths.count:
            wrong_paths = Entries()
        row = (*CAMERA.parse(camera, "", wrong_paths), timestamp) if camera is not None else (None,)
        device_id = row[_DEVICE_ID]
        if device_id is None or device_id == "":
            without_id.add(replace_lone_surrogates(key))
            continue
        if isinstance(device_id, JsonText | HiddenText):
            device_id = device_id.text()
        rows.append(row)
        if wrong_paths.count:
            wrong_fields.add_all(f"{cut_name(device_id)}: ", wrong_paths)
        event = row[_EVENT]
        if event is None or event[_START_TIME] is None:
            continue
        if event[_START_TIME] > latest_start:
            from_future.add(cut_name(device_id))
        if event[_HAS_PERSON]:
            sightings.append((device_id, event[_START_TIME]))
    details = {
        reason: detail
        for reason, detail in {
            "camera": Detail(without_id, key_spellings),
            "field": Detail(wrong_fields),
            "future": Detail(from_future),
        }.items()
        if detail.entries.count
    }
    return ExpectedRecord(rows, _quarantine_rows(value, timestamp, details), sightings)


def sighting_of(row: Row) -> tuple[str, int] | None:
    """Return the sighting (device_id, start_time) that a stored archive row carries, if any."""
    device_id, event = row[_DEVICE_ID], row[_EVENT]
    if not isinstance(device_id, str) or type(event) is not tuple or event[_HAS_PERSON] is not True:
        return None
    start = event[_START_TIME]
    return (device_id, start) if type(start) is int and is_in_calendar(start) else None


def _quarantine_rows(
    value: bytes | None, timestamp: int | None, details: dict[str, Detail] | dict[str, FreeText]
) -> list[Row]:
    """Return one row for each reason."""
    raw = None if value is None or not details else RawText(value)
    return [(timestamp, reason, detail, raw) for reason, detail in details.items()]


def _cameras(document: dict[str, Any]) -> dict[str, dict[str, Any] | None]:
    """Return the document's cameras by map key; MalformedError where one is not an object."""
    cameras = _object(_object(document, "devices"), "cameras")
    for key in cameras:
        _object(cameras, key)
    return cameras


def _object(parent: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the object in a field, empty where the field is absent or null."""
    value = parent.get(name)
    if value is None:
        return {}
    if type(value) is not dict:
        raise MalformedError(f"{name} is no object")
    return value
