"""Append rows to the Delta table camera with delta-rs, in a thread beside the parsing."""

from concurrent.futures import Future, ThreadPoolExecutor

import pyarrow as pa
from deltalake import DeltaTable, WriterProperties, write_deltalake

from contract.lake import CAMERA, table_location
from contract.settings import Settings
from pipeline.schema import arrow_struct, camera_table_schema

_COMMIT_MESSAGES = 50_000
"""Messages per commit. Each commit writes one file. Smaller commits would be fresher and slower."""


def camera_columns() -> pa.Schema:
    """Return the columns of the table, the same as the pipeline's."""
    return pa.schema(list(arrow_struct(camera_table_schema())))


def create_camera_table(settings: Settings) -> DeltaTable:
    """Create the empty table, or open the one that is there, such as after a crash."""
    return DeltaTable.create(
        table_location(settings.lake, CAMERA),
        camera_columns(),
        mode="ignore",
        configuration={"delta.dataSkippingStatsColumns": "partition,offset,timestamp,device_id"},
    )


def append_rows(table: DeltaTable, rows: pa.Table) -> None:
    """Commit rows."""
    write_deltalake(
        table, rows, mode="append", writer_properties=WriterProperties(compression="SNAPPY")
    )


class CameraWriter:
    """Collects rows and commits them in large appends, one append at a time."""

    def __init__(self, settings: Settings) -> None:
        self._table = create_camera_table(settings)
        self._thread = ThreadPoolExecutor(1)
        self._append: Future[None] | None = None
        self._rows: list[pa.Table] = []
        self._messages = 0

    def add(self, rows: pa.Table, messages: int) -> bool:
        """Take the rows of a number of messages; return whether this started a commit."""
        self._rows.append(rows)
        self._messages += messages
        if self._messages < _COMMIT_MESSAGES:
            return False
        self.start_commit()
        return True

    def start_commit(self) -> None:
        """Commit the collected rows in the background, after the commit before is done."""
        self._wait()
        if self._rows:
            self._append = self._thread.submit(
                append_rows, self._table, pa.concat_tables(self._rows)
            )
            self._rows, self._messages = [], 0

    def close(self) -> None:
        """Commit the remaining rows, wait for it, and end the thread."""
        self.start_commit()
        self._wait()
        self._thread.shutdown()

    def _wait(self) -> None:
        if self._append is not None:
            self._append.result()
