"""Which cameras are online and which are offline.

It takes the archive's newest row per camera, looking back a day by ``timestamp``. In production:
the table ``camera_status``, which keeps that row up to date. Only this file would change.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds

from contract.lake import CAMERA, table_uri
from dashboard.data.lake.delta_table import explain_read_errors, query, require_table
from dashboard.data.lake.table_follower import TableFollower, newest_timestamp

LOOKBACK = timedelta(hours=24)
"""How far back from the archive's newest row, so that the cost does not grow with its age."""
STATISTICS_ROUNDING = timedelta(seconds=1)
"""More than the rounding of file statistics, which are in milliseconds."""

_COLUMNS = (
    "device_id, name_long, where_name, structure_id, software_version, is_online, is_streaming, "
    'last_is_online_change, last_event.start_time AS last_event, timestamp, "partition", "offset"'
)
_NEWEST_PER_CAMERA = """
    WITH newest AS (
        SELECT arg_max(data, (timestamp, "offset")) AS row
        FROM (SELECT {columns} FROM data WHERE timestamp >= $since) AS data
        GROUP BY device_id
    )
    SELECT row.* FROM newest
"""


@dataclass(frozen=True)
class CamerasView:
    """The cameras as of one refresh; read-only, since all viewers share it."""

    rows: pd.DataFrame = field(default_factory=pd.DataFrame)
    """The newest row of each camera with a message within LOOKBACK."""
    newest: datetime | None = None
    """Timestamp of the archive's newest row, UTC; None while it is empty."""
    table_id: str = ""
    """Another one after the table was recreated."""
    version: int = -1
    files_read: int = 0
    """How many data files the last refresh opened."""
    files: int = 0
    """How many data files the table has."""

    @property
    def offline(self) -> pd.DataFrame:
        """The rows of the cameras that are offline, the latest change first."""
        rows = self.rows[self.rows["is_online"].eq(False)]
        return rows.sort_values("last_is_online_change", ascending=False, ignore_index=True)

    @property
    def online(self) -> int:
        """How many cameras are online."""
        return int(self.rows["is_online"].eq(True).sum())


def read_cameras(root: str) -> Iterator[CamerasView]:
    """Yield the current cameras each time; UserError when the table cannot be read."""
    follower = TableFollower(root, CAMERA)
    rows: pa.Table | None = None
    view = CamerasView()
    while True:
        table = require_table(root, CAMERA)
        if (table.metadata().id, table.version()) != (view.table_id, view.version):
            with explain_read_errors(table_uri(root, CAMERA)):
                newest = newest_timestamp(table)
                since = newest and newest - LOOKBACK - STATISTICS_ROUNDING
                new_files = follower.new_files(table, since)
                if since is not None:
                    previous = None if new_files.is_reset else rows
                    rows = _newest_per_camera(previous, new_files.rows, since)
            view = CamerasView(
                pd.DataFrame() if rows is None else rows.to_pandas(),
                newest,
                table.metadata().id,
                table.version(),
                new_files.count,
                new_files.table_files,
            )
        yield view


def _newest_per_camera(
    previous: pa.Table | None, new_rows: ds.Dataset, since: datetime
) -> pa.Table:
    """Return the newest row per camera of the previous result and the new rows."""
    newest = query(new_rows, _NEWEST_PER_CAMERA.format(columns=_COLUMNS), since=since)
    if previous is None:
        return newest
    both = pa.concat_tables([previous, newest])
    return query(both, _NEWEST_PER_CAMERA.format(columns="*"), since=since)
