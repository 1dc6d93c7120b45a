"""A Delta table at the one version that it had when the check began, read in pieces by position."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.fs as pafs
from deltalake import DeltaTable
from deltalake.exceptions import DeltaError

from contract.errors import UserError

Ranges = dict[int, tuple[int, int]]
"""By partition of nest-logs the first offset of a piece and the one after its last."""

_POSITION = ["partition", "offset"]
_FILES_AT_A_TIME = 256
# Spark may write timestamps as INT96, which Arrow would read as nanoseconds: too few for year 1.
_FORMAT = ds.ParquetFileFormat(read_options=ds.ParquetReadOptions(coerce_int96_timestamp_unit="us"))


@dataclass(frozen=True)
class DataFile:
    """A data file and the offsets that it holds: per partition its lowest and highest."""

    path: str
    offsets: Ranges
    unplaced: bool
    """Whether a row has no position at all."""

    def overlaps(self, ranges: Ranges) -> bool:
        """Tell whether a row may lie in the ranges."""
        return any(
            number in self.offsets
            and self.offsets[number][0] < end
            and self.offsets[number][1] >= start
            for number, (start, end) in ranges.items()
        )

    def lies_in(self, ranges: Ranges) -> bool:
        """Tell whether all rows that have a position lie in the ranges."""
        return all(
            number in ranges and ranges[number][0] <= low and high < ranges[number][1]
            for number, (low, high) in self.offsets.items()
        )


class Snapshot:
    """The rows of a table whose rows carry the partition and offset of their record.

    The position columns of all files are read once at the start. With them each piece of the topic
    opens only the files that hold rows of it, however many files the table has.
    """

    def __init__(self, table: DeltaTable) -> None:
        if table.metadata().partition_columns:
            raise DeltaError("it is partitioned, and the check reads tables that are not")
        # This refuses tables with features, like deletion vectors, that a plain reader would miss.
        dataset = table.to_pyarrow_dataset(filesystem=_local_filesystem(table))
        self._uri: str = table.table_uri
        self.columns: list[str] = dataset.schema.names
        self._schema = dataset.schema
        self._filesystem = dataset.filesystem
        self._files: list[DataFile] = []
        if set(_POSITION) <= set(self.columns):
            for start in range(0, len(dataset.files), _FILES_AT_A_TIME):
                self._files += self._index(dataset.files[start : start + _FILES_AT_A_TIME])

    def piece(self, ranges: Ranges) -> pa.Table:
        """Return the rows of the records in the ranges."""
        files = [file.path for file in self._files if file.overlaps(ranges)]
        parts = [self._schema.empty_table()]
        with _readable(self._uri):
            for start in range(0, len(files), _FILES_AT_A_TIME):
                part = self._part(files[start : start + _FILES_AT_A_TIME])
                parts.append(part.to_table(filter=_within(ranges)))
        return pa.concat_tables(parts)

    def outside(self, ranges: Ranges) -> Iterator[pa.RecordBatch]:
        """Yield the rows that belong to no record in the ranges."""
        files = [file.path for file in self._files if file.unplaced or not file.lies_in(ranges)]
        with _readable(self._uri):
            for start in range(0, len(files), _FILES_AT_A_TIME):
                part = self._part(files[start : start + _FILES_AT_A_TIME])
                yield from part.to_batches(filter=_beyond(ranges))

    def _part(self, files: list[str]) -> ds.Dataset:
        """Return some files as a dataset, made anew: one that was read keeps all their footers."""
        fragments = [_FORMAT.make_fragment(file, self._filesystem) for file in files]
        return ds.FileSystemDataset(fragments, self._schema, _FORMAT, self._filesystem)

    def _index(self, files: list[str]) -> Iterator[DataFile]:
        """Read the position columns of some files and note what each holds."""
        offsets: dict[str, Ranges] = {path: {} for path in files}
        unplaced: set[str] = set()
        for batch in self._part(files).to_batches(columns=["__filename", *_POSITION]):
            groups = pa.TableGroupBy(pa.table(batch), ["__filename", "partition"]).aggregate(
                [("offset", "min"), ("offset", "max"), ([], "count_all"), ("offset", "count")]
            )
            for row in groups.to_pylist():
                path, number = row["__filename"], row["partition"]
                low, high = row["offset_min"], row["offset_max"]
                if number is None or row["count_all"] > row["offset_count"]:
                    unplaced.add(path)
                if number is not None and low is not None:
                    before = offsets[path].get(number, (low, high))
                    offsets[path][number] = (min(before[0], low), max(before[1], high))
        return (DataFile(path, found, path in unplaced) for path, found in offsets.items())


def open_snapshot(root: str, name: str) -> Snapshot | None:
    """Open a table of the lake at its newest version; None if there is no such table.

    Raises UserError if there is one that cannot be read.
    """
    uri = f"{root.rstrip('/')}/{name}"
    with _readable(uri):
        return Snapshot(DeltaTable(uri)) if DeltaTable.is_deltatable(uri) else None


@contextmanager
def _readable(uri: str) -> Iterator[None]:
    try:
        yield
    except (DeltaError, pa.ArrowException, OSError) as error:
        raise UserError(f"The Delta table {uri} cannot be read: {error}") from None


def _local_filesystem(table: DeltaTable) -> pafs.FileSystem | None:
    """Return Arrow's own file system, twice as fast, for a table on a local disk."""
    if not table.table_uri.startswith("file:"):
        return None
    filesystem, path = pafs.FileSystem.from_uri(table.table_uri)
    return pafs.SubTreeFileSystem(path, filesystem)


def _within(ranges: Ranges) -> ds.Expression:
    where = pc.scalar(False)
    for number, (start, end) in ranges.items():
        offset = pc.field("offset")
        where |= (pc.field("partition") == number) & (offset >= start) & (offset < end)
    return where


def _beyond(ranges: Ranges) -> ds.Expression:
    """Select the rows outside the ranges, those without a position among them."""
    return ~pc.coalesce(_within(ranges), pc.scalar(False))
