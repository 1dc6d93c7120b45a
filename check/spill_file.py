"""A temporary file of rows."""

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pyarrow as pa

_OPTIONS = pa.ipc.IpcWriteOptions(compression="lz4")


class SpillFile:
    """Takes rows, and then gives them back, a part at a time."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / f"{uuid4().hex}.arrows"
        self._sink: pa.NativeFile | None = None
        self._writer: pa.ipc.RecordBatchStreamWriter | None = None
        self.bytes = 0
        """What the rows take in memory."""

    def write(self, rows: pa.Table) -> None:
        """Append rows; all of them have the same columns."""
        if not rows.num_rows:
            return
        if self._writer is None:
            self._sink = pa.OSFile(str(self._path), "wb")
            self._writer = pa.ipc.new_stream(self._sink, rows.schema, options=_OPTIONS)
        self._writer.write_table(rows)
        self.bytes += rows.nbytes

    def read(self) -> Iterator[pa.Table]:
        """Yield the rows, and delete the file after the last of them."""
        if self._writer is None or self._sink is None:
            return
        self._writer.close()
        self._sink.close()
        with pa.OSFile(str(self._path), "rb") as source, pa.ipc.open_stream(source) as reader:
            for batch in reader:
                yield pa.table(batch)
        self._path.unlink()
