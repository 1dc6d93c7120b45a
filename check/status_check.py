"""What the check does with camera_status and its alerts while it goes through the archive."""

import sqlite3
from collections.abc import Mapping
from pathlib import Path

from kafka import KafkaConsumer

from check.alerts import Alerts
from check.camera_states import CameraStates
from check.column_types import names_with_wrong_types
from check.coverage import Coverage
from check.findings import StatusFindings
from check.forgotten import ForgottenIds
from check.positioned_table import PositionedTable, open_lake_table
from check.rows import Rows, rows_by_position
from check.rules.columns import ARCHIVE_COLUMNS
from check.topics import CommittedVersion
from contract import lake
from contract.errors import UserError
from contract.queries import Query


class StatusCheck:
    """Opens camera_status, then takes in the archive's rows; all it keeps is in a temporary file.

    ``versions`` is by query what it had taken in of its table before.
    """

    def __init__(self, root: str, versions: Mapping[str, CommittedVersion], folder: Path) -> None:
        self._root = root
        self._versions = versions
        self._db = sqlite3.connect(folder / "status.sqlite", isolation_level=None)
        self._db.executescript(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32768;"
        )
        self._alerts = Alerts(self._db)
        self._states = CameraStates(self._db)
        self._status = open_lake_table(root, lake.CAMERA_STATUS)
        self._unknown_coverage: str | None = None
        self._uncompared_alerts: str | None = None

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def read_alerts(self, consumer: KafkaConsumer, *, must_be_complete: bool) -> None:
        """Read the alerts, and camera_status as of the version that their query has taken in."""
        self._alerts.add_topic(consumer)
        try:
            told = self._status if must_be_complete else self._status_taken_in()
            self._alerts.add_states(told.all_rows() if told else ())
        except UserError as error:
            self._uncompared_alerts = str(error)

    def read_states(self, camera: PositionedTable | None, *, must_be_complete: bool) -> None:
        """Read camera_status; the rows of ``camera`` come next."""
        self._states.set_coverage(self._coverage(camera, must_be_complete))
        for batch in self._status.all_rows() if self._status else ():
            self._states.add_stored(rows_by_position(batch, ARCHIVE_COLUMNS))

    def add_archived(self, rows: Rows) -> None:
        """Take in rows of the archive."""
        self._states.add_archived(rows)
        self._alerts.add_archived(rows)

    def findings(self, forgotten: ForgottenIds | None) -> StatusFindings:
        """Return what was found, after all rows of the archive were taken in."""
        states = self._states.compare()
        alerts = self._alerts.compare(forgotten)
        no_state = None if alerts.states else "it has no camera whose state is known"
        return StatusFindings(
            names_with_wrong_types(self._status.schema, ARCHIVE_COLUMNS) if self._status else None,
            Query.CAMERA_STATUS in self._versions,
            states,
            alerts,
            self._unknown_coverage,
            self._uncompared_alerts or no_state,
        )

    def _status_taken_in(self) -> PositionedTable | None:
        taken_in = self._versions.get(Query.ALERTS)
        if taken_in is None:
            raise UserError("their query has committed nothing yet")
        if self._status and taken_in.table_id != self._status.table_id:
            raise UserError("their query has committed nothing of it, only of an earlier one")
        return open_lake_table(self._root, lake.CAMERA_STATUS, taken_in.version)

    def _coverage(self, camera: PositionedTable | None, must_be_complete: bool) -> Coverage:
        taken_in = self._versions.get(Query.CAMERA_STATUS)
        if must_be_complete:
            return Coverage(is_everything=True)
        if taken_in is None or camera is None:
            return Coverage()
        files = camera.files_at(taken_in.version) if taken_in.table_id == camera.table_id else None
        if files is None:
            self._unknown_coverage = (
                f"nothing is required of camera_status: version {taken_in.version:,} of camera, up "
                "to which its query had come, is no longer in the table's log"
            )
        return Coverage(files or ())
