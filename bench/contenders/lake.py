"""Append Arrow tables to the Delta table camera with delta-rs, in a thread beside the parsing."""

from concurrent.futures import Future, ThreadPoolExecutor

import pyarrow as pa
from deltalake import DeltaTable, WriterProperties, write_deltalake
from pyspark.sql.types import StructType

from contract.settings import Settings
from pipeline.schema import POSITION, arrow_struct, camera_schema

COMMIT_EVERY = 50_000
"""Messages to a commit, hence to a file; fewer would be fresher and slower."""


def camera_row() -> pa.Schema:
    """Return the columns of the table, the same as the pipeline's."""
    return pa.schema(list(arrow_struct(StructType([*camera_schema(), *POSITION]))))


class CameraWriter:
    """Writes one table at a time, while the next one is being made."""

    def __init__(self, settings: Settings) -> None:
        self._table = DeltaTable.create(
            f"{settings.lake}/camera",
            camera_row(),
            configuration={
                "delta.dataSkippingStatsColumns": "partition,offset,timestamp,device_id"
            },
        )
        self._thread = ThreadPoolExecutor(1)
        self._running: Future[None] | None = None

    def append(self, rows: pa.Table) -> None:
        """Begin to write rows, after those before."""
        self.wait()
        self._running = self._thread.submit(self._append, rows)

    def _append(self, rows: pa.Table) -> None:
        write_deltalake(
            self._table,
            rows,
            mode="append",
            writer_properties=WriterProperties(compression="SNAPPY"),
        )

    def wait(self) -> None:
        """Wait until what was given is committed."""
        if self._running is not None:
            self._running.result()

    def close(self) -> None:
        """Commit what is left, and end the thread."""
        self.wait()
        self._thread.shutdown()
