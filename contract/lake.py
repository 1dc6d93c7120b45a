"""The Delta tables of the lake: their names, the columns that readers rely on, and the reasons."""

from pathlib import Path

CAMERA = "camera"
"""One row for each camera of each message."""
QUARANTINE = "quarantine"
"""One row for each record and reason why something in it is wrong."""
CAMERA_STATUS = "camera_status"
"""The newest row of each camera, with a change data feed."""
ARCHIVE_TABLES = (CAMERA, QUARANTINE)
"""Those that the query archive writes."""
TABLES = (*ARCHIVE_TABLES, CAMERA_STATUS)
"""The tables that the pipeline writes."""

POSITION = ("partition", "offset", "timestamp")
"""Columns of all tables: where a row's record is in nest-logs, and the record's timestamp."""
REJECTION = ("reason", "detail", "raw")
"""Columns of ``quarantine`` beside the position: why, which cameras, and the redacted value."""

MALFORMED = "malformed"
"""The record as a whole cannot be used; nothing of it is archived or counted."""
NO_DEVICE_ID = "camera"
"""A camera without a ``device_id``; its neighbours are archived."""
WRONG_FIELD = "field"
"""A field has a wrong type; it is null in the archive."""
FUTURE = "future"
"""An event starts later than its record's timestamp allows; archived, not counted."""
REASONS = (MALFORMED, NO_DEVICE_ID, WRONG_FIELD, FUTURE)

FORGOTTEN_FILE = "forgotten.json"
"""Beside the tables: the list of forgotten homes and cameras, if there are any."""
FORGET_UNFINISHED = (
    "`nest forget` has not come to its end: the lake may still have something of who is forgotten. "
    "If the command was cut off, stop the pipeline and run it again with the same id."
)
"""What to say where the ``is_removed`` of that list is false."""
SET_ASIDE = ".set-aside"
"""What a repair adds to the name of a damaged table's folder, before it writes a new table."""


def table_location(lake: str, table: str) -> str:
    """Return where a table of the lake is: a path or URI below the lake's root."""
    return f"{lake.rstrip('/')}/{table}"


def is_uri(place: str) -> bool:
    """Tell whether a place of the settings is a URI, and not a path of this machine."""
    return "://" in place


def absolute_location(uri: str) -> str:
    """Return a path from the disk's root on, for messages; a URI stays."""
    return uri if is_uri(uri) else str(Path(uri).absolute())


def resolved_location(uri: str) -> str:
    """Return where a path leads, through all links; a URI stays but for a slash at its end."""
    return uri.rstrip("/") if is_uri(uri) else str(Path(uri).resolve())


def forgotten_uri(lake: str) -> str:
    """Return where the list of forgotten homes is: a path or URI."""
    return f"{lake.rstrip('/')}/{FORGOTTEN_FILE}"
