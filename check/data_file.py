"""Which offsets of the topic a data file of a Delta table has the rows of."""

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.dataset as ds

from check.positions import OffsetRanges, chunk_number

OFFSET_COLUMNS = ["partition", "offset"]
_ROW_OVERHEAD = 300
"""Bytes that a row takes in memory beside its values; a message may hold 45,000 empty cameras."""


@dataclass(frozen=True)
class DataFile:
    """A data file, and between which offsets of each partition its rows are."""

    path: str
    offsets: OffsetRanges
    has_rows_without_position: bool
    rows: int
    bytes: int
    """What the rows take in memory."""

    def chunk_numbers(self, bounds: OffsetRanges, count: int) -> range:
        """Return which chunks may have rows in the file, if ``bounds`` are cut into ``count``."""
        numbers = [
            chunk_number(offset, start, end, count)
            for partition, (start, end) in bounds.items()
            if partition in self.offsets
            and (first := max(self.offsets[partition][0], start))
            < (stop := min(self.offsets[partition][1], end))
            for offset in (first, stop - 1)
        ]
        return range(min(numbers), max(numbers) + 1) if numbers else range(0)

    def lies_in(self, ranges: OffsetRanges) -> bool:
        """Tell whether all rows that have a position belong to records in the ranges."""
        return all(
            partition in ranges and ranges[partition][0] <= start and end <= ranges[partition][1]
            for partition, (start, end) in self.offsets.items()
        )


def index_files(dataset: ds.FileSystemDataset) -> Iterator[DataFile]:
    """Read the position columns of some files; say which file holds which offsets."""
    offsets: dict[str, OffsetRanges] = {path: {} for path in dataset.files}
    without_position: set[str] = set()
    rows = dict.fromkeys(dataset.files, 0)
    sizes = {
        fragment.path: sum(group.total_byte_size for group in fragment.row_groups)
        for fragment in dataset.get_fragments()
    }
    for batch in dataset.to_batches(columns=["__filename", *OFFSET_COLUMNS]):
        groups = pa.TableGroupBy(pa.table(batch), ["__filename", "partition"]).aggregate(
            [("offset", "min"), ("offset", "max"), ([], "count_all"), ("offset", "count")]
        )
        for row in groups.to_pylist():
            path, partition = row["__filename"], row["partition"]
            rows[path] += row["count_all"]
            if partition is None or row["count_all"] > row["offset_count"]:
                without_position.add(path)
            if partition is not None and row["offset_count"]:
                start, end = row["offset_min"], row["offset_max"] + 1
                before = offsets[path].get(partition, (start, end))
                offsets[path][partition] = (min(before[0], start), max(before[1], end))
    return (
        DataFile(
            path,
            found,
            path in without_position,
            rows[path],
            sizes[path] + rows[path] * _ROW_OVERHEAD,
        )
        for path, found in offsets.items()
    )
