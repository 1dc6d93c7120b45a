"""A Delta table at the version that it had when it was opened, read chunk by chunk of the topic."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
from deltalake import DeltaTable
from deltalake.exceptions import DeltaError

from check.data_file import OFFSET_COLUMNS, DataFile, index_files
from check.positions import OffsetRanges
from contract.arrow_filesystems import table_filesystem
from contract.errors import UserError
from contract.lake import CAMERA_STATUS, table_location

DATA_FILES_AT_A_TIME = 256
"""How many data files are open together."""

_LARGE = 64 << 20
"""Files with more bytes than this are not read ahead."""
_ONE_AFTER_THE_OTHER = {"batch_size": 256, "batch_readahead": 1, "fragment_readahead": 1}
# Spark may write timestamps as INT96, which Arrow reads as nanoseconds: year 1 does not fit in.
_FORMAT = ds.ParquetFileFormat(read_options=ds.ParquetReadOptions(coerce_int96_timestamp_unit="us"))


class PositionedTable:
    """A table whose rows carry the partition and offset of their record.

    The position columns of all files are read once, when the table is opened. So it is known which
    files hold rows of a chunk of the topic, however many files the table has.
    """

    def __init__(self, table: DeltaTable) -> None:
        if table.metadata().partition_columns:
            raise DeltaError("it is partitioned, and the check reads only tables that are not")
        # This refuses tables with features that a plain reader would miss, like deletion vectors.
        dataset = table.to_pyarrow_dataset(filesystem=table_filesystem(table.table_uri))
        self._uri: str = table.table_uri
        self.table_id: str = table.metadata().id
        self.version: int = table.version()
        self.schema: pa.Schema = dataset.schema
        self._filesystem = dataset.filesystem
        self._files: list[DataFile] = []
        if set(OFFSET_COLUMNS) <= set(self.schema.names):
            for start in range(0, len(dataset.files), DATA_FILES_AT_A_TIME):
                files = dataset.files[start : start + DATA_FILES_AT_A_TIME]
                self._files += index_files(self._dataset(files))
        self._bytes = {file.path: file.bytes for file in self._files}

    def files_at(self, version: int) -> list[OffsetRanges] | None:
        """Return the offsets of the data files that the table had at an earlier version.

        A file that is gone, as by VACUUM, is left out. None if the table's log has no such version.
        """
        try:
            paths = set(pa.table(DeltaTable(self._uri, version=version).get_add_actions())["path"])
        except DeltaError:
            return None
        names = {str(path) for path in paths}
        found = [file.offsets for file in self._files if file.path in names]
        for path in names - {file.path for file in self._files}:
            with suppress(OSError, pa.ArrowException):
                found += [file.offsets for file in index_files(self._dataset([path]))]
        return found

    def all_rows(self) -> Iterator[pa.RecordBatch]:
        """Yield all rows."""
        return self.rows_outside({})

    @property
    def files(self) -> list[DataFile]:
        """The table's data files."""
        return self._files

    def empty(self) -> pa.Table:
        """Return the table without rows."""
        return self.schema.empty_table()

    def rows_within(self, ranges: OffsetRanges, files: Sequence[str]) -> pa.Table:
        """Return those rows of some files that belong to records in the ranges."""
        tables = [self.empty()]
        is_large = sum(self._bytes[file] for file in files) > _LARGE
        options = _ONE_AFTER_THE_OTHER if is_large else {}
        with _readable(self._uri, self.version):
            for start in range(0, len(files), DATA_FILES_AT_A_TIME):
                dataset = self._dataset(files[start : start + DATA_FILES_AT_A_TIME])
                tables.append(dataset.to_table(filter=_is_within(ranges), **options))
        return pa.concat_tables(tables)

    def batches(self, files: Sequence[str], rows: int) -> Iterator[pa.RecordBatch]:
        """Yield all rows of some files, at most so many at a time, one file after the other."""
        with _readable(self._uri, self.version):
            for file in files:
                yield from self._dataset([file]).to_batches(
                    batch_size=rows, batch_readahead=1, fragment_readahead=1
                )

    def rows_outside(self, ranges: OffsetRanges) -> Iterator[pa.RecordBatch]:
        """Yield the rows that belong to no record in the ranges, and those without a position."""
        files = [
            file.path
            for file in self._files
            if file.has_rows_without_position or not file.lies_in(ranges)
        ]
        with _readable(self._uri, self.version):
            for start in range(0, len(files), DATA_FILES_AT_A_TIME):
                dataset = self._dataset(files[start : start + DATA_FILES_AT_A_TIME])
                yield from dataset.to_batches(filter=_is_outside(ranges))

    def _dataset(self, files: Sequence[str]) -> ds.FileSystemDataset:
        """Return some files as a new dataset; one that was read keeps all footers in memory."""
        fragments = [_FORMAT.make_fragment(file, self._filesystem) for file in files]
        return ds.FileSystemDataset(fragments, self.schema, _FORMAT, self._filesystem)


def open_lake_table(lake: str, table: str, version: int | None = None) -> PositionedTable | None:
    """Open a table of the lake, by default at its newest version; None if there is no such table.

    Raises UserError if the table cannot be read.
    """
    uri = table_location(lake, table)
    with _readable(uri):
        if not DeltaTable.is_deltatable(uri):
            return None
        opened = DeltaTable(uri, version=version)
    with _readable(uri, opened.version()):  # it reads something of each file
        return PositionedTable(opened)


@contextmanager
def _readable(uri: str, version: int | None = None) -> Iterator[None]:
    """Raise UserError for what cannot be read; ``version`` is that of a table that was opened."""
    try:
        yield
    except (DeltaError, pa.ArrowException, OSError) as error:
        if version is not None and isinstance(error, FileNotFoundError):
            _require_newest(uri, version)
        is_status = uri.rstrip("/").endswith(f"/{CAMERA_STATUS}")
        command = "nest repair camera_status" if is_status else "nest repair archive --new-tables"
        raise UserError(
            f"The Delta table {uri} cannot be read: {error}\nIf a file of it is gone or damaged, "
            f"stop the pipeline: `{command}` has the table made anew."
        ) from None


def _require_newest(uri: str, version: int) -> None:
    """Raise UserError if a table has a newer version, whose writer may have deleted old files."""
    with suppress(DeltaError, OSError):
        newest = DeltaTable(uri).version()
        if newest > version:
            raise UserError(
                f"Files of the Delta table {uri} were deleted while the check read its version "
                f"{version}, as `nest forget` does; it has version {newest} now. Check again."
            ) from None


def _is_within(ranges: OffsetRanges) -> ds.Expression:
    condition = pc.scalar(False)
    for partition, (start, end) in ranges.items():
        offset = pc.field("offset")
        condition |= (pc.field("partition") == partition) & (offset >= start) & (offset < end)
    return condition


def _is_outside(ranges: OffsetRanges) -> ds.Expression:
    """Select rows outside the ranges; a row without a position, which compares as null, is too."""
    return ~pc.coalesce(_is_within(ranges), pc.scalar(False))
