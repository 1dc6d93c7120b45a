"""Which cameras are online and which are offline: the table ``camera_status``, a row per camera."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

import pandas as pd

from contract.lake import CAMERA_STATUS, table_location
from contract.stats import UNPLACED
from dashboard.data.lake.delta_table import (
    explain_read_errors,
    no_table_yet,
    open_table,
    query,
    table_rows,
)

_CAMERAS = """
    SELECT device_id, name_long, name, where_name, structure_id, software_version, is_online,
        last_is_online_change, last_event.start_time AS last_event, timestamp
    FROM data
"""
_NEWEST = """
    SELECT max(timestamp) AS newest FROM data
    WHERE timestamp >= TIMESTAMPTZ 'epoch' AND timestamp < TIMESTAMPTZ '9999-12-31 00:00:00+00'
"""


@dataclass(frozen=True)
class CamerasView:
    """The cameras as of one refresh; read-only, since all viewers share it."""

    rows: pd.DataFrame = field(default_factory=pd.DataFrame)
    """The newest row of each camera."""
    newest: datetime | None = None
    """The newest timestamp of all cameras, UTC; None while there is none."""
    table_id: str = ""
    """Another one after the table was recreated."""
    version: int = -1

    @property
    def offline(self) -> pd.DataFrame:
        """The rows of the cameras that are offline, the latest change first."""
        rows = self.rows[self.rows["is_online"].eq(False)]
        return rows.sort_values("last_is_online_change", ascending=False, ignore_index=True)

    @property
    def online(self) -> int:
        """How many cameras are online."""
        return int(self.rows["is_online"].eq(True).sum())

    def name(self, device_id: str) -> str | None:
        """Return a camera's name; None if it has none or is not known."""
        if self.rows.empty:
            return None
        names = self.rows.loc[self.rows["device_id"] == device_id, "name"].dropna()
        return str(names.iloc[0]) if len(names) else None

    def of_zip_code(self, zip_code: str, zip_code_of: Mapping[str, str]) -> "CamerasView":
        """Return the view of the cameras there; ``unknown`` has those without a zip code."""
        if self.rows.empty:
            return self
        here = self.rows["device_id"].map(zip_code_of).fillna(UNPLACED) == zip_code
        return replace(self, rows=self.rows[here].reset_index(drop=True))


def with_one_name(cameras: pd.DataFrame) -> pd.DataFrame:
    """Return rows of cameras with ``name`` alone of the three names, as alerts call them.

    That is the long name, else the camera's own, else that of its place in the house.
    """
    name = cameras["name_long"].fillna(cameras["name"]).fillna(cameras["where_name"])
    return cameras.drop(columns=["name_long", "where_name"]).assign(name=name)


def read_cameras(root: str) -> Iterator[CamerasView]:
    """Yield the current cameras each time.

    Raises NotThereYet if there is no table, UserError if it cannot be read. It is read only where
    it has a new version. Its size is that of the cameras, whatever the age of the archive.
    """
    view = CamerasView()
    while True:
        table = open_table(root, CAMERA_STATUS)
        if table is None:
            raise no_table_yet(CAMERA_STATUS)
        if (table.metadata().id, table.version()) != (view.table_id, view.version):
            with explain_read_errors(table_location(root, CAMERA_STATUS)):
                cameras = query(table_rows(table), _CAMERAS)
                newest = query(cameras, _NEWEST)["newest"][0].as_py()
            rows = with_one_name(cameras.to_pandas())
            view = CamerasView(rows, newest, table.metadata().id, table.version())
        yield view
