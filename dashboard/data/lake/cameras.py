"""Which cameras are online and which are not, and what one of them has seen.

From the archive's newest row per camera, looking back a day by ``timestamp``. In production: the
table ``camera_status``, which keeps that row up to date; only this file would change.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import pandas as pd
import pyarrow as pa

from contract.lake import CAMERA, table_uri
from dashboard.data.lake.delta_table import data_of, query, readable, require_table
from dashboard.data.lake.table_follower import Followed, newest_moment

BACK = timedelta(hours=24)
"""How far back from the archive's newest row: the cost does not grow with the archive's age."""
_SLACK = timedelta(seconds=1)
"""Statistics of files are in milliseconds."""
MOST_EVENTS = 500

_STATUS = (
    "device_id, name_long, where_name, structure_id, software_version, is_online, is_streaming, "
    'last_is_online_change, last_event.start_time AS last_event, timestamp, "partition", "offset"'
)
_NEWEST = """
    WITH newest AS (
        SELECT arg_max(data, (timestamp, "offset")) AS row
        FROM (SELECT {columns} FROM data WHERE timestamp >= $since) AS data
        GROUP BY device_id
    )
    SELECT row.* FROM newest
"""
_EVENTS = """
    WITH rows AS (
        SELECT timestamp, is_online, last_is_online_change, last_event AS event
        FROM data WHERE device_id = $device_id AND timestamp >= $since
    )
    SELECT
        CASE WHEN bool_or(event.has_person) THEN 'Person seen'
             WHEN bool_or(event.has_motion) THEN 'Motion'
             WHEN bool_or(event.has_sound) THEN 'Sound' ELSE 'Event' END AS what,
        event.start_time AS moment, max(event.end_time) AS until, min(timestamp) AS reported
    FROM rows WHERE event.start_time >= $since GROUP BY event.start_time
    UNION ALL
    SELECT CASE WHEN is_online THEN 'Came online' ELSE 'Went offline' END,
        last_is_online_change, NULL, min(timestamp)
    FROM rows WHERE last_is_online_change >= $since AND is_online IS NOT NULL
    GROUP BY last_is_online_change, is_online
    ORDER BY moment DESC LIMIT {most}
"""


@dataclass(frozen=True)
class CamerasView:
    """The cameras as of one refresh; not to be changed, since all viewers share it."""

    rows: pd.DataFrame = field(default_factory=pd.DataFrame)
    """The newest row of each camera that reported within ``BACK``."""
    newest: datetime | None = None
    """Timestamp of the archive's newest row, UTC; None while it is empty."""
    table: str = ""
    """The table's own id, another one when it was made anew."""
    version: int = -1
    files_read: int = 0
    """How many data files the last refresh opened."""
    files: int = 0
    """How many the table has."""

    @property
    def offline(self) -> pd.DataFrame:
        """The cameras that are offline, those that went last first."""
        rows = self.rows[self.rows["is_online"].eq(False)]
        return rows.sort_values("last_is_online_change", ascending=False, ignore_index=True)

    @property
    def online(self) -> int:
        """How many cameras are online."""
        return int(self.rows["is_online"].eq(True).sum())


def read_cameras(root: str) -> Iterator[CamerasView]:
    """Yield the cameras as of now each time; UserError when the table cannot be read."""
    followed = Followed(root, CAMERA)
    known: pa.Table | None = None
    view = CamerasView()
    while True:
        table = require_table(root, CAMERA)
        if (table.metadata().id, table.version()) != (view.table, view.version):
            with readable(table_uri(root, CAMERA)):
                newest = newest_moment(table)
                since = newest and newest - BACK - _SLACK
                news = followed.news(table, since)
                if since is not None:
                    known = _fold(None if news.anew else known, news.data, since)
            view = CamerasView(
                pd.DataFrame() if known is None else known.to_pandas(),
                newest,
                table.metadata().id,
                table.version(),
                news.files,
                news.of_files,
            )
        yield view


def _fold(known: pa.Table | None, data: object, since: datetime) -> pa.Table:
    """Return the newest row per camera of what is known and what is new."""
    found = query(data, _NEWEST.format(columns=_STATUS), since=since)
    if known is None:
        return found
    both = pa.concat_tables([known, found])
    return query(both, _NEWEST.format(columns="*"), since=since)


@dataclass(frozen=True)
class History:
    """What one camera has seen and when it was offline, newest first."""

    events: pd.DataFrame
    """what, moment, until and reported, UTC."""
    since: datetime
    files_read: int
    files: int


def camera_history(root: str, device_id: str, newest: datetime) -> History:
    """Read what a camera did in the day up to ``newest``; UserError if that cannot be read."""
    with readable(table_uri(root, CAMERA)):
        table = require_table(root, CAMERA)
        since = newest - BACK
        data = data_of(table, since - _SLACK)
        found = query(data, _EVENTS.format(most=MOST_EVENTS), device_id=device_id, since=since)
        return History(found.to_pandas(), since, len(data.files), len(table.file_uris()))
