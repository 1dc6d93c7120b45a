"""Which cameras are online and which are offline: the table ``camera_status``, a row per camera."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

import pandas as pd

from contract.errors import NotThereYet
from contract.lake import CAMERA_STATUS, table_location
from contract.stats import UNPLACED
from dashboard.data.lake.delta_table import explain_read_errors, open_table, query, table_rows

_CAMERAS = """
    SELECT device_id, name_long, where_name, structure_id, software_version, is_online,
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
        """Return a camera's long name, or that of the place in the house; None without either."""
        if self.rows.empty:
            return None
        of_camera = self.rows[self.rows["device_id"] == device_id]
        names = of_camera["name_long"].fillna(of_camera["where_name"]).dropna()
        return str(names.iloc[0]) if len(names) else None

    def of_zip_code(self, zip_code: str, zip_code_of: Mapping[str, str]) -> "CamerasView":
        """Return the view of the cameras there; ``unknown`` has those without a zip code."""
        if self.rows.empty:
            return self
        here = self.rows["device_id"].map(zip_code_of).fillna(UNPLACED) == zip_code
        return replace(self, rows=self.rows[here].reset_index(drop=True))


def read_cameras(root: str) -> Iterator[CamerasView]:
    """Yield the current cameras each time.

    Raises NotThereYet if there is no table, UserError if it cannot be read. It is read only where
    it has a new version. Its size is that of the cameras, whatever the age of the archive.
    """
    view = CamerasView()
    while True:
        table = open_table(root, CAMERA_STATUS)
        if table is None:
            raise NotThereYet(
                f"There is no table {CAMERA_STATUS} yet. The pipeline (`nest pipeline`) creates it "
                "when it starts and fills it from the archive. If none comes, check that NEST_LAKE "
                "is the same for the pipeline and the dashboard."
            )
        if (table.metadata().id, table.version()) != (view.table_id, view.version):
            with explain_read_errors(table_location(root, CAMERA_STATUS)):
                cameras = query(table_rows(table), _CAMERAS)
                newest = query(cameras, _NEWEST)["newest"][0].as_py()
            view = CamerasView(cameras.to_pandas(), newest, table.metadata().id, table.version())
        yield view
