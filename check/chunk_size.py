"""How many records are in memory at a time: bounded in number, and by what their rows hold."""

from collections import Counter
from collections.abc import Iterable

from check.data_file import DataFile
from check.positions import OffsetRanges

CHUNK_BYTES = 32 << 20
"""What the rows of a chunk may hold, in each table."""
MOST_CUTS = 16
"""In a large topic a chunk of the usual number of records is cut into no more parts than this."""
SMALL_TOPIC_CHUNKS = 1_000
"""A topic with no more chunks than this is not large: its chunks are cut as small as they must."""


def records_per_chunk(
    bounds: OffsetRanges, tables: Iterable[Iterable[DataFile]], records: int
) -> int:
    """Return how many records a chunk may have: ``records``, or fewer where rows are large.

    Quarantine keeps whole messages, which may have a megabyte each.
    """
    total = sum(end - start for start, end in bounds.values())
    files = [list(table) for table in tables]
    size = records
    most = max(SMALL_TOPIC_CHUNKS, MOST_CUTS * (total // records))
    while size > 1 and total // size < most:
        count = -(-total // size)
        if all(_largest_chunk(bounds, count, table) <= CHUNK_BYTES for table in files):
            break
        size = -(-size // 2)
    return size


def _largest_chunk(bounds: OffsetRanges, count: int, files: Iterable[DataFile]) -> int:
    """Estimate the bytes of the largest of ``count`` chunks: a file's rows are spread evenly."""
    of_chunk: Counter[int] = Counter()
    for file in files:
        numbers = file.chunk_numbers(bounds, count)
        for number in numbers:
            of_chunk[number] += file.bytes // len(numbers)
    return max(of_chunk.values(), default=0)
