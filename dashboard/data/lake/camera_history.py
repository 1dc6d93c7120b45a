"""The events of one camera in the archive's last 24 hours, and when it was offline."""

from dataclasses import dataclass
from datetime import datetime, timedelta

import pandas as pd

from contract.alerts import OFFLINE, ONLINE
from contract.instants import add_within_calendar
from contract.lake import CAMERA, table_location
from dashboard.data.alerts import WHAT_HAPPENED
from dashboard.data.lake.delta_table import (
    explain_read_errors,
    query,
    require_table,
    sent_between,
    table_rows,
)

LOOKBACK = timedelta(hours=24)
"""How far back from the camera's newest message, so that the cost does not grow with the archive.
"""
MAX_EVENTS = 500
WENT_OFFLINE, CAME_ONLINE = WHAT_HAPPENED[OFFLINE], WHAT_HAPPENED[ONLINE]

_EVENTS = """
    WITH rows AS (
        SELECT "partition", "offset", timestamp, is_online, last_is_online_change, last_event
        FROM data WHERE device_id = $device_id AND timestamp >= $since
    )
    SELECT
        CASE WHEN bool_or(last_event.has_person) THEN 'Person seen'
             WHEN bool_or(last_event.has_motion) THEN 'Motion'
             WHEN bool_or(last_event.has_sound) THEN 'Sound' ELSE 'Event' END AS kind,
        last_event.start_time AS start_time, max(last_event.end_time) AS end_time,
        min(timestamp) AS first_reported,
        arg_min("partition", timestamp) AS "partition", arg_min("offset", timestamp) AS "offset"
    FROM rows WHERE last_event.start_time >= $since GROUP BY last_event.start_time
    UNION ALL
    SELECT CASE WHEN is_online THEN $came_online ELSE $went_offline END,
        last_is_online_change, NULL, min(timestamp),
        arg_min("partition", timestamp), arg_min("offset", timestamp)
    FROM rows WHERE last_is_online_change IS NOT NULL AND is_online IS NOT NULL
    GROUP BY last_is_online_change, is_online
    ORDER BY start_time DESC LIMIT $max_events
"""


@dataclass(frozen=True)
class CameraHistory:
    """What a camera has seen and when it was offline."""

    events: pd.DataFrame
    """kind, start_time, end_time and first_reported (UTC), newest first.

    ``partition`` and ``offset`` are the position of the message that first reported each.
    """
    outages: list[tuple[datetime, datetime | None]]
    """When the camera was offline (UTC), oldest first; None where it still is."""
    since: datetime
    """From when on the events are known, UTC."""
    files_read: int
    """How many data files can have rows of these 24 hours, by their statistics."""
    files: int
    """How many data files the table has."""


def read_camera_history(root: str, device_id: str, newest: datetime) -> CameraHistory:
    """Read a camera's events in the 24 hours up to ``newest``; UserError if that fails."""
    with explain_read_errors(table_location(root, CAMERA)):
        table = require_table(root, CAMERA)
        since = add_within_calendar(newest, -LOOKBACK)
        # The archive is ahead of camera_status, from which the newest message is known.
        rows = table_rows(table, sent_between(since, add_within_calendar(newest, LOOKBACK)))
        events = query(
            rows,
            _EVENTS,
            device_id=device_id,
            since=since,
            max_events=MAX_EVENTS,
            came_online=CAME_ONLINE,
            went_offline=WENT_OFFLINE,
        )
        frame = events.to_pandas()
        if len(frame) == MAX_EVENTS:
            since = max(since, frame["start_time"].iloc[-1].to_pydatetime())
        return CameraHistory(
            frame[frame["start_time"] >= since].reset_index(drop=True),
            offline_spans(frame, since),
            since,
            len(rows.files),
            len(table.file_uris()),
        )


def offline_spans(events: pd.DataFrame, since: datetime) -> list[tuple[datetime, datetime | None]]:
    """Return when a camera was offline after a moment (UTC), oldest first; None where it still is.

    ``events`` are newest first, and may begin before that moment. A return before which nothing
    tells of an outage ends none.
    """
    spans: list[tuple[datetime, datetime | None]] = []
    began: datetime | None = None
    for kind, moment in zip(events["kind"][::-1], events["start_time"][::-1], strict=True):
        if kind == WENT_OFFLINE:
            began = began or moment.to_pydatetime()
        elif kind == CAME_ONLINE and began:
            if moment > since:
                spans.append((max(began, since), moment.to_pydatetime()))
            began = None
    return [*spans, (max(began, since), None)] if began else spans
