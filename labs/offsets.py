"""Which offsets rows have, in a few words."""

from collections.abc import Iterable
from itertools import groupby
from typing import Protocol


class Positioned(Protocol):
    """A row or record of Kafka."""

    topic: str
    partition: int
    offset: int


def spans(rows: Iterable[Positioned]) -> str:
    """Return the offsets of each partition, first to last: ``homes-0: 0-20, homes-1: 0-18``.

    Offsets that are missing in between are left out: ``homes-0: 0-4 and 7-20``.
    """
    positions = sorted({(row.topic, row.partition, row.offset) for row in rows})
    found = []
    for (topic, partition), group in groupby(positions, key=lambda position: position[:2]):
        offsets = [position[2] for position in group]
        found.append(f"{topic}-{partition}: {' and '.join(_runs(offsets))}")
    return ", ".join(found) or "none"


def _runs(offsets: list[int]) -> list[str]:
    """Return runs of numbers without a gap, as first-last."""
    starts = [n for n in offsets if n - 1 not in offsets]
    ends = [n for n in offsets if n + 1 not in offsets]
    return [f"{a}-{b}" if a < b else f"{a}" for a, b in zip(starts, ends, strict=True)]
