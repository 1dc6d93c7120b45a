"""Outlines of the land for the map, shipped with the code so that the map needs no network."""

import gzip
import json
from functools import cache
from pathlib import Path

import numpy as np

from dashboard.charts.map_frame import MapFrame, Ring, mercator


def land_outlines(frame: MapFrame) -> list[Ring]:
    """Return the outlines of the counties in the frame, clipped to it."""
    in_reach = [
        ring
        for ring, lowest, highest in _county_rings()
        if lowest[0] < frame.right
        and highest[0] > frame.left
        and lowest[1] < frame.top
        and highest[1] > frame.bottom
    ]
    return [clipped for ring in in_reach if len(clipped := frame.clip(ring)) > 2]


@cache
def _county_rings() -> list[tuple[Ring, Ring, Ring]]:
    """Return all rings, projected, each with its lowest and its highest x and y.

    The README beside this file describes the format.
    """
    packed = Path(__file__).with_name("counties.json.gz").read_bytes()
    rings = []
    for deltas in json.loads(gzip.decompress(packed)):
        degrees = np.cumsum(np.array(deltas, dtype=np.float64).reshape(-1, 2), axis=0) / 1000
        ring = np.column_stack(mercator(degrees[:, 0], degrees[:, 1]))
        rings.append((ring, ring.min(axis=0), ring.max(axis=0)))
    return rings
