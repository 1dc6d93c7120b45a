"""The columns of the lake's tables, in the order in which the check's rows have them.

``partition`` and ``offset`` are not among them: they say to which record a row belongs.
"""

from check.rules.field_types import (
    FieldType,
    ListOf,
    Struct,
    parse_boolean,
    parse_text,
    parse_timestamp,
    parse_url,
)

LAST_EVENT = Struct(
    {
        "has_sound": parse_boolean,
        "has_motion": parse_boolean,
        "has_person": parse_boolean,
        "start_time": parse_timestamp,
        "end_time": parse_timestamp,
        "urls_expire_time": parse_timestamp,
        "web_url": parse_url,
        "app_url": parse_url,
        "image_url": parse_url,
        "animated_image_url": parse_url,
        "activity_zone_ids": ListOf(parse_text),
    }
)
CAMERA = Struct(
    {
        "device_id": parse_text,
        "software_version": parse_text,
        "structure_id": parse_text,
        "where_id": parse_text,
        "where_name": parse_text,
        "name": parse_text,
        "name_long": parse_text,
        "is_online": parse_boolean,
        "is_streaming": parse_boolean,
        "is_audio_input_enabled": parse_boolean,
        "last_is_online_change": parse_timestamp,
        "is_video_history_enabled": parse_boolean,
        "web_url": parse_url,
        "app_url": parse_url,
        "is_public_share_enabled": parse_boolean,
        "activity_zones": ListOf(Struct({"name": parse_text, "id": parse_text})),
        "public_share_url": parse_url,
        "snapshot_url": parse_url,
        "last_event": LAST_EVENT,
    }
)
"""A camera as a document has it; the archive stores these fields and the record's timestamp."""

Columns = dict[str, FieldType]

ARCHIVE_COLUMNS: Columns = {**CAMERA.fields, "timestamp": parse_timestamp}
QUARANTINE_COLUMNS: Columns = {
    "timestamp": parse_timestamp,
    "reason": parse_text,
    "detail": parse_text,
    "raw": parse_text,
}


def values_per_row(columns: Columns) -> int:
    """Return how many values a row has; the fields of a struct count one by one."""
    return sum(len(kind.fields) if isinstance(kind, Struct) else 1 for kind in columns.values())


def index_of(column: str, columns: Columns) -> int:
    """Return where a row has a column; ValueError if it has no such column."""
    return list(columns).index(column)
