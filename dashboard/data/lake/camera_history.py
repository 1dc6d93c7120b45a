"""The events of one camera in the archive's last 24 hours."""

from dataclasses import dataclass
from datetime import datetime, timedelta

import pandas as pd

from contract.lake import CAMERA, table_uri
from dashboard.data.lake.delta_table import (
    explain_read_errors,
    query,
    require_table,
    table_rows,
)

LOOKBACK = timedelta(hours=24)
"""How far back from the camera's newest message, so that the cost does not grow with the archive.
"""
MAX_EVENTS = 500
_STATISTICS_ROUNDING = timedelta(seconds=1)
"""More than the rounding of file statistics, which are in milliseconds."""

_EVENTS = """
    WITH rows AS (
        SELECT timestamp, is_online, last_is_online_change, last_event
        FROM data WHERE device_id = $device_id AND timestamp >= $since
    )
    SELECT
        CASE WHEN bool_or(last_event.has_person) THEN 'Person seen'
             WHEN bool_or(last_event.has_motion) THEN 'Motion'
             WHEN bool_or(last_event.has_sound) THEN 'Sound' ELSE 'Event' END AS kind,
        last_event.start_time AS start_time, max(last_event.end_time) AS end_time,
        min(timestamp) AS first_reported
    FROM rows WHERE last_event.start_time >= $since GROUP BY last_event.start_time
    UNION ALL
    SELECT CASE WHEN is_online THEN 'Came online' ELSE 'Went offline' END,
        last_is_online_change, NULL, min(timestamp)
    FROM rows WHERE last_is_online_change >= $since AND is_online IS NOT NULL
    GROUP BY last_is_online_change, is_online
    ORDER BY start_time DESC LIMIT $max_events
"""


@dataclass(frozen=True)
class CameraHistory:
    """What a camera has seen and when it was offline."""

    events: pd.DataFrame
    """kind, start_time, end_time and first_reported (UTC), newest first."""
    files_read: int
    """How many data files can have rows of these 24 hours, by their statistics."""
    files: int
    """How many data files the table has."""


def read_camera_history(root: str, device_id: str, newest: datetime) -> CameraHistory:
    """Read a camera's events in the 24 hours up to ``newest``; UserError if that fails."""
    with explain_read_errors(table_uri(root, CAMERA)):
        table = require_table(root, CAMERA)
        since = newest - LOOKBACK
        rows = table_rows(table, since - _STATISTICS_ROUNDING)
        events = query(rows, _EVENTS, device_id=device_id, since=since, max_events=MAX_EVENTS)
        return CameraHistory(events.to_pandas(), len(rows.files), len(table.file_uris()))
