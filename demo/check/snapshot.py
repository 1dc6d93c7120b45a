"""A Delta table at the one version that it had when the check began, read in pieces by position."""

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
from deltalake import DeltaTable
from deltalake.exceptions import DeltaError
from pyarrow.dataset import ParquetReadOptions

from contract.errors import UserError

Ranges = dict[int, tuple[int, int]]
"""By partition of nest-logs the first offset of a piece and the one after its last."""

_POSITION = ["partition", "offset"]


@dataclass(frozen=True)
class DataFile:
    """A data file and the offsets that it holds: per partition its lowest and highest."""

    fragment: ds.Fragment
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


class Snapshot:
    """The rows of a table whose rows carry the partition and offset of their record.

    The position columns of all files are read once at the start. With them each piece of the topic
    opens only the files that hold rows of it, however many files the table has.
    """

    def __init__(self, table: DeltaTable) -> None:
        options = ParquetReadOptions(coerce_int96_timestamp_unit="us")
        self.version: int = table.version()
        self._dataset = table.to_pyarrow_dataset(parquet_read_options=options)
        self.columns: list[str] = self._dataset.schema.names
        self._files = _index(self._dataset) if set(_POSITION) <= set(self.columns) else []

    def piece(self, ranges: Ranges) -> pa.Table:
        """Return the rows of the records in the ranges."""
        files = [file for file in self._files if file.overlaps(ranges)]
        return self._scan(files, _within(ranges)).to_table()

    def outside(self, ranges: Ranges) -> Iterator[pa.RecordBatch]:
        """Yield the rows that belong to no record in the ranges."""
        files = [file for file in self._files if file.unplaced or not _covered(file, ranges)]
        if files:
            yield from self._scan(files, _beyond(ranges)).to_batches()

    def _scan(self, files: list[DataFile], where: ds.Expression) -> ds.Scanner:
        part = ds.FileSystemDataset(
            [file.fragment for file in files],
            self._dataset.schema,
            self._dataset.format,
            self._dataset.filesystem,
        )
        return part.scanner(filter=where)


def open_snapshot(root: str, name: str) -> Snapshot | None:
    """Open a table of the lake at its newest version; None if there is no such table.

    Raises UserError if there is one that cannot be read.
    """
    uri = f"{root.rstrip('/')}/{name}"
    try:
        return Snapshot(DeltaTable(uri)) if DeltaTable.is_deltatable(uri) else None
    except (DeltaError, pa.ArrowException, OSError) as error:
        raise UserError(f"The Delta table {uri} cannot be read: {error}") from None


def _index(dataset: ds.Dataset) -> list[DataFile]:
    """Read the position columns and note what each file holds."""
    offsets: dict[str, Ranges] = {}
    unplaced: set[str] = set()
    for batch in dataset.scanner(columns=["__filename", *_POSITION]).to_batches():
        groups = pa.TableGroupBy(pa.table(batch), ["__filename", "partition"]).aggregate(
            [("offset", "min"), ("offset", "max"), ([], "count_all"), ("offset", "count")]
        )
        for row in groups.to_pylist():
            path, number = row["__filename"], row["partition"]
            low, high = row["offset_min"], row["offset_max"]
            if number is None or row["count_all"] > row["offset_count"]:
                unplaced.add(path)
            if number is None or low is None:
                continue
            seen = offsets.setdefault(path, {})
            before = seen.get(number, (low, high))
            seen[number] = (min(before[0], low), max(before[1], high))
    return [
        DataFile(fragment, offsets.get(fragment.path, {}), fragment.path in unplaced)
        for fragment in dataset.get_fragments()
    ]


def _covered(file: DataFile, ranges: Ranges) -> bool:
    return all(
        number in ranges and ranges[number][0] <= low and high < ranges[number][1]
        for number, (low, high) in file.offsets.items()
    )


def _within(ranges: Ranges) -> ds.Expression:
    where = pc.scalar(False)
    for number, (start, end) in ranges.items():
        offset = pc.field("offset")
        where |= (pc.field("partition") == number) & (offset >= start) & (offset < end)
    return where


def _beyond(ranges: Ranges) -> ds.Expression:
    """Select the rows outside the ranges, those without a position among them."""
    return ~pc.coalesce(_within(ranges), pc.scalar(False))
