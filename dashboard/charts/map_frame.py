"""The part of the world that a map shows, in Mercator's projection."""

import math
from typing import Any, NamedTuple

import numpy as np

Ring = np.ndarray[Any, np.dtype[np.float64]]
"""Points of a closed line, one (x, y) a row."""
_MARGIN = 0.08
"""What a frame has on each side of its points, as a part of their extent."""
_MIN_HEIGHT = 0.2
"""The least extent of the points that a frame is made for, from bottom to top."""
_MIN_ASPECT = 1.3
"""The least ratio of a frame's width to its height."""


class MapFrame(NamedTuple):
    """A rectangle in projected units (degrees at the equator)."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def width(self) -> float:
        """The extent from left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """The extent from bottom to top."""
        return self.top - self.bottom

    def corners(self) -> Ring:
        """Return the frame as a ring."""
        x, y = (self.left, self.right), (self.bottom, self.top)
        return np.array([(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1]), (x[0], y[0])])

    def clip(self, ring: Ring) -> Ring:
        """Cut off what lies outside, one side after the other (Sutherland and Hodgman)."""
        sides = ((0, self.left, 1), (0, self.right, -1), (1, self.bottom, 1), (1, self.top, -1))
        for axis, limit, sign in sides:
            if not len(ring):
                break
            is_inside = (ring[:, axis] - limit) * sign >= 0
            if is_inside.all():
                continue
            previous, was_inside = np.roll(ring, 1, axis=0), np.roll(is_inside, 1)
            points = []
            for point, last, is_in, was_in in zip(
                ring, previous, is_inside, was_inside, strict=True
            ):
                if is_in != was_in:
                    share = (limit - last[axis]) / (point[axis] - last[axis])
                    points.append(last + share * (point - last))
                if is_in:
                    points.append(point)
            ring = np.array(points).reshape(-1, 2)
        return ring


def mercator(longitude: Any, latitude: Any) -> tuple[Any, Any]:
    """Project degrees to x and y, both in degrees at the equator."""
    return longitude, np.degrees(np.log(np.tan(math.pi / 4 + np.radians(latitude) / 2)))


def frame_around(x: Any, y: Any) -> MapFrame:
    """Return a frame that holds all points, with a margin on each side."""
    half_height = max(float(y.max() - y.min()), _MIN_HEIGHT) * (0.5 + _MARGIN)
    half_width = float(x.max() - x.min()) * (0.5 + _MARGIN)
    half_height = max(half_height, half_width / (2 * _MIN_ASPECT))
    half_width = max(half_width, half_height * _MIN_ASPECT)
    x_center, y_center = float(x.max() + x.min()) / 2, float(y.max() + y.min()) / 2
    return MapFrame(
        x_center - half_width,
        y_center - half_height,
        x_center + half_width,
        y_center + half_height,
    )
