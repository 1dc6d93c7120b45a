"""Where the names of the largest circles stand on a map, so that they hide no larger one."""

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import pandas as pd

from dashboard.charts.map_frame import MapFrame
from dashboard.charts.theme import TEXT_SIZE

_MOST_LABELS = 6
"""How many of the largest circles may carry their name."""
_MAP_HEIGHTS = (100, 115, 130, 150, 170, 195, 220, 255, 290, 330, 380, 435, 500, math.inf)
"""Pixels; from each of these heights on the names are placed anew. Only the browser knows how high
the map is."""
_CHARACTER_WIDTH = 0.53 * TEXT_SIZE
"""Of bold text, on average, pixels."""
_HALF_HEIGHT = TEXT_SIZE / 2
_GAP = 3
"""Between a circle and its name, pixels."""


class _Circle(NamedTuple):
    """A circle, in pixels from the lower left of the map."""

    x: float
    y: float
    radius: float


class _Name(NamedTuple):
    """The middle and half of the width of a name, in pixels from the lower left of the map."""

    x: float
    y: float
    half_width: float

    def covers(self, other: "_Circle | _Name") -> bool:
        """Return whether it lies over a circle or another name."""
        dx, dy = abs(self.x - other.x) - self.half_width, abs(self.y - other.y) - _HALF_HEIGHT
        if isinstance(other, _Name):
            return dx < other.half_width and dy < _HALF_HEIGHT
        return math.hypot(max(dx, 0), max(dy, 0)) < other.radius

    def within(self, width: float, height: float) -> "_Name":
        """Return it, moved so that all of it is on a map of this size, if it can be."""
        return self._replace(
            x=max(min(self.x, width - self.half_width), self.half_width),
            y=max(min(self.y, height - _HALF_HEIGHT), _HALF_HEIGHT),
        )


def map_labels(
    points: pd.DataFrame, frame: MapFrame, circle_sizes: tuple[int, int], largest: int
) -> pd.DataFrame:
    """Return place, x and y of each name, and ``from`` and ``to`` what height of the map.

    ``points`` has place, x, y and count, the largest first; x and y are in the frame's units. A
    circle has an area of ``circle_sizes`` (pixels) from a count of 0 to that of ``largest``. A name
    lies over no other name, and over no larger circle.
    """
    rows = [
        (place, frame.left + name.x / scale, frame.bottom + name.y / scale, height, next_height)
        for height, next_height in pairwise(_MAP_HEIGHTS)
        for scale in (height / frame.height,)
        for place, name in _placed(points.head(_MOST_LABELS), frame, scale, circle_sizes, largest)
    ]
    labels = pd.DataFrame(rows, columns=["place", "x", "y", "from", "to"])
    return labels.replace({"to": math.inf}, 1e9)  # JSON has no infinity


def _placed(
    points: pd.DataFrame,
    frame: MapFrame,
    scale: float,
    circle_sizes: tuple[int, int],
    largest: int,
) -> Iterator[tuple[str, _Name]]:
    """Yield the names that have a place where a unit of the frame is ``scale`` pixels."""
    circles = []
    smallest_area, largest_area = circle_sizes
    for x, y, count in points[["x", "y", "count"]].itertuples(index=False):
        area = smallest_area + (largest_area - smallest_area) * count / max(largest, 1)
        middle = ((x - frame.left) * scale, (y - frame.bottom) * scale)
        circles.append(_Circle(*middle, math.sqrt(area / math.pi)))
    names: list[_Name] = []
    for number, (place, circle) in enumerate(zip(points["place"], circles, strict=True)):
        beside = _beside(circle, len(place) * _CHARACTER_WIDTH / 2)
        on_map = [each.within(frame.width * scale, frame.height * scale) for each in beside]
        taken: list[_Circle | _Name] = [*names, *circles[: number + 1]]
        free = [name for name in on_map if not any(map(name.covers, taken))]
        if free:  # the first one over the fewest circles
            names.append(min(free, key=lambda name: sum(map(name.covers, circles))))
            yield place, names[-1]


def _beside(circle: _Circle, half_width: float) -> Iterator[_Name]:
    """Yield where a name may stand: above, below, right or left of its circle."""
    up, right = circle.radius + _GAP + _HALF_HEIGHT, circle.radius + _GAP + half_width
    for dx, dy in ((0, up), (0, -up), (right, 0), (-right, 0)):
        yield _Name(circle.x + dx, circle.y + dy, half_width)
