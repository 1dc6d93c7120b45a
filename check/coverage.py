"""Which rows of the archive a query that reads it as a stream has taken in."""

from bisect import bisect_right
from collections.abc import Iterable

from check.positions import OffsetRanges, Position


class Coverage:
    """The records whose rows a query has taken in, as ranges of offsets by partition."""

    def __init__(self, files: Iterable[OffsetRanges] = (), *, is_everything: bool = False) -> None:
        """Cover the files' ranges of offsets, or everything."""
        self._is_everything = is_everything
        by_partition: dict[int, list[tuple[int, int]]] = {}
        for file in files:
            for partition, span in file.items():
                by_partition.setdefault(partition, []).append(span)
        self._ranges = {number: _joined(spans) for number, spans in by_partition.items()}

    def covers(self, position: Position) -> bool:
        """Tell whether a record's rows have been taken in."""
        if self._is_everything:
            return True
        partition, offset = position
        if partition not in self._ranges or offset is None:
            return False
        spans = self._ranges[partition]
        number = bisect_right(spans, offset, key=lambda span: span[0]) - 1
        return number >= 0 and offset < spans[number][1]


def _joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spans in order; those that overlap or touch become one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], end)
        else:
            joined.append((start, end))
    return joined
