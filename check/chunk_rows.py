"""A table's rows in the order of the topic's chunks, each data file read only once.

A file that was written by a micro-batch holds rows of few chunks. A compacted file may hold rows of
all of them, since OPTIMIZE sorts by other columns; its rows are first put into the order of the
chunks, in temporary files.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from check.data_file import DataFile
from check.positioned_table import PositionedTable
from check.positions import OffsetRanges
from check.spill_file import SpillFile

MOST_CHUNKS_READ_DIRECTLY = 2
"""A file with rows of no more chunks is read for each of them."""
BYTES_IN_MEMORY = 32 << 20
"""How much of the rows is sorted in memory."""
SPILL_FILES_AT_A_TIME = 32
"""How many temporary files are written together."""

_BATCH_ROWS = 16_384
_NUMBER = "__chunk"


def rows_by_chunk(
    table: PositionedTable, bounds: OffsetRanges, chunks: Sequence[OffsetRanges], folder: Path
) -> Iterator[pa.Table]:
    """Yield the rows of each chunk; ``chunks`` are all those that ``bounds`` was cut into.

    Temporary files are in ``folder``, and together as large as the compacted files.
    """
    few: list[list[str]] = [[] for _ in chunks]
    many: list[DataFile] = []
    for file in table.files:
        numbers = file.chunk_numbers(bounds, len(chunks))
        if len(numbers) <= MOST_CHUNKS_READ_DIRECTLY:
            for number in numbers:
                few[number].append(file.path)
        else:
            many.append(file)
    batches = _numbered(_batches(table, many), bounds, len(chunks))
    size = sum(file.bytes for file in many)
    ordered = _in_order(batches, table.empty(), (0, len(chunks)), size, folder)
    for ranges, files, of_many in zip(chunks, few, ordered, strict=True):
        yield pa.concat_tables([table.rows_within(ranges, files), of_many])


def _batches(table: PositionedTable, files: Iterable[DataFile]) -> Iterator[pa.RecordBatch]:
    """Yield all rows of some files; where they are large, fewer at a time."""
    for file in files:
        per_row = max(1, file.bytes // max(1, file.rows))
        rows = min(_BATCH_ROWS, max(1, BYTES_IN_MEMORY // per_row))
        yield from table.batches([file.path], rows)


def _numbered(
    batches: Iterable[pa.RecordBatch], bounds: OffsetRanges, count: int
) -> Iterator[pa.Table]:
    """Add the number of its chunk to each row; leave out rows of no chunk."""
    for batch in batches:
        number = pa.nulls(batch.num_rows, pa.int64())
        for partition, (start, end) in bounds.items():
            if start == end:
                continue
            offset = batch["offset"].cast(pa.int64())
            is_of = pc.and_(
                pc.equal(batch["partition"], partition),
                pc.and_(pc.greater_equal(offset, start), pc.less(offset, end)),
            )
            # As ``check.positions.chunk_number`` does it.
            place = pc.add(pc.subtract(pc.if_else(is_of, offset, start), start), 1)
            chunk = pc.divide(pc.subtract(pc.multiply(place, count), 1), end - start)
            number = pc.if_else(pc.fill_null(is_of, False), chunk, number)
        numbered = pa.table(batch).append_column(_NUMBER, number)
        yield numbered.filter(pc.is_valid(number))


def _in_order(
    tables: Iterable[pa.Table], empty: pa.Table, chunks: tuple[int, int], size: int, folder: Path
) -> Iterator[pa.Table]:
    """Yield the rows of each chunk from the first to before the end, without their numbers.

    Rows of more bytes (``size``) than fit in memory are first distributed over files of
    neighbouring chunks.
    """
    first, end = chunks
    if size <= BYTES_IN_MEMORY or end - first == 1:
        yield from _sorted(tables, empty, chunks)
        return
    parts = min(SPILL_FILES_AT_A_TIME, end - first, -(-2 * size // BYTES_IN_MEMORY))
    cuts = [first + (end - first) * i // parts for i in range(parts + 1)]
    files = [SpillFile(folder) for _ in range(parts)]
    for table in tables:
        for file, low, high in zip(files, cuts, cuts[1:], strict=False):
            file.write(_between(table, low, high))
    for file, low, high in zip(files, cuts, cuts[1:], strict=False):
        yield from _in_order(file.read(), empty, (low, high), file.bytes, folder)


def _sorted(
    tables: Iterable[pa.Table], empty: pa.Table, chunks: tuple[int, int]
) -> Iterator[pa.Table]:
    rows = pa.concat_tables([*tables]) if (tables := list(tables)) else None
    for number in range(*chunks):
        if rows is None:
            yield empty
        else:
            yield _between(rows, number, number + 1).drop_columns([_NUMBER])


def _between(table: pa.Table, low: int, high: int) -> pa.Table:
    number = table[_NUMBER]
    return table.filter(pc.and_(pc.greater_equal(number, low), pc.less(number, high)))
