"""Where records are in nest-logs: partitions and offsets, and chunks of the topic."""

from collections.abc import Iterator

Position = tuple[int | None, int | None]
"""Partition and offset of a record; None where a row of the lake has none."""

OffsetRanges = dict[int, tuple[int, int]]
"""By partition, the first offset and the one after the last."""

_PAGE = 65_536  # offsets


class PositionSet:
    """Distinct positions, one bit for each; rows of one record may be in several files."""

    def __init__(self) -> None:
        self._pages: dict[Position, bytearray] = {}
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def add(self, position: Position) -> None:
        """Add the position of a record."""
        partition, offset = position
        page, bit = divmod(offset or 0, _PAGE)
        bits = self._pages.setdefault((partition, page), bytearray(_PAGE // 8))
        mask = 1 << bit % 8
        self._size += not bits[bit // 8] & mask
        bits[bit // 8] |= mask


def format_position(position: Position) -> str:
    """Return a position as text for people."""
    return f"partition {position[0]} offset {position[1]}"


def chunks(bounds: OffsetRanges, size: int) -> Iterator[OffsetRanges]:
    """Cut the topic into chunks of at most about ``size`` records.

    All partitions advance in step, because each batch of the archive has read from all of them.
    """
    total = sum(end - start for start, end in bounds.values())
    count = -(-total // size)
    for i in range(count):
        ranges = {
            partition: (
                start + (end - start) * i // count,
                start + (end - start) * (i + 1) // count,
            )
            for partition, (start, end) in bounds.items()
        }
        yield {partition: (start, end) for partition, (start, end) in ranges.items() if start < end}


def chunk_number(offset: int, start: int, end: int, count: int) -> int:
    """Return which of ``count`` chunks an offset is in; its partition has start to before end."""
    return ((offset - start + 1) * count - 1) // (end - start)


def is_expired(position: Position, bounds: OffsetRanges) -> bool:
    """Tell whether a record was in the topic once and retention has removed it."""
    partition, offset = position
    return partition in bounds and offset is not None and 0 <= offset < bounds[partition][0]
