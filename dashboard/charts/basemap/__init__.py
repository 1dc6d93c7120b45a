"""An outline of the land under the map, shipped with the code so that it needs no network."""

import gzip
import json
import math
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

Ring = np.ndarray[Any, np.dtype[np.float64]]
"""Points of a closed line, one (x, y) a row."""


class Frame(NamedTuple):
    """The part of the world that a map shows, in the units of Mercator's projection."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def width(self) -> float:
        """How much it shows from left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """How much it shows from bottom to top."""
        return self.top - self.bottom

    def corners(self) -> Ring:
        """Return its four corners, closed."""
        x, y = (self.left, self.right), (self.bottom, self.top)
        return np.array([(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1]), (x[0], y[0])])

    def clip(self, ring: Ring) -> Ring:
        """Cut off what lies outside, one side after the other (Sutherland and Hodgman)."""
        sides = ((0, self.left, 1), (0, self.right, -1), (1, self.bottom, 1), (1, self.top, -1))
        for axis, limit, sign in sides:
            if not len(ring):
                break
            inside = (ring[:, axis] - limit) * sign >= 0
            if inside.all():
                continue
            before, was_inside = np.roll(ring, 1, axis=0), np.roll(inside, 1)
            points = []
            for here, last, is_in, was_in in zip(ring, before, inside, was_inside, strict=True):
                if is_in != was_in:
                    share = (limit - last[axis]) / (here[axis] - last[axis])
                    points.append(last + share * (here - last))
                if is_in:
                    points.append(here)
            ring = np.array(points).reshape(-1, 2)
        return ring


def mercator(longitude: Any, latitude: Any) -> tuple[Any, Any]:
    """Project degrees to x and y, both in degrees at the equator."""
    return longitude, np.degrees(np.log(np.tan(math.pi / 4 + np.radians(latitude) / 2)))


def frame_around(
    x: Any, y: Any, margin: float = 0.08, least: float = 0.2, shape: float = 1.3
) -> Frame:
    """Return the frame that holds all points, with room around them.

    It is at least ``least`` high, and ``shape`` times as wide as it is high, or more.
    """
    up = max(float(y.max() - y.min()), least) * (0.5 + margin)
    across = float(x.max() - x.min()) * (0.5 + margin)
    up = max(up, across / (2 * shape))
    across = max(across, up * shape)
    middle = (float(x.max() + x.min()) / 2, float(y.max() + y.min()) / 2)
    return Frame(middle[0] - across, middle[1] - up, middle[0] + across, middle[1] + up)


def land(frame: Frame) -> list[Ring]:
    """Return the counties' rings as far as they lie in the frame."""
    near = [
        ring
        for ring, low, high in _rings()
        if low[0] < frame.right
        and high[0] > frame.left
        and low[1] < frame.top
        and high[1] > frame.bottom
    ]
    return [clipped for ring in near if len(clipped := frame.clip(ring)) > 2]


@cache
def _rings() -> list[tuple[Ring, Ring, Ring]]:
    """Return all rings, projected, each with its lowest and its highest x and y."""
    packed = Path(__file__).with_name("counties.json.gz").read_bytes()
    rings = []
    for steps in json.loads(gzip.decompress(packed)):
        degrees = np.cumsum(np.array(steps, dtype=np.float64).reshape(-1, 2), axis=0) / 1000
        ring = np.column_stack(mercator(degrees[:, 0], degrees[:, 1]))
        rings.append((ring, ring.min(axis=0), ring.max(axis=0)))
    return rings
