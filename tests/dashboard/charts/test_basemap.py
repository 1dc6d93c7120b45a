"""The land under the map."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dashboard.charts.basemap import land_outlines
from dashboard.charts.map_frame import MapFrame, frame_around, mercator

points = st.lists(st.tuples(st.floats(-3, 3), st.floats(-3, 3)), min_size=3, max_size=12)


def is_inside(rings, x: float, y: float) -> bool:
    """Tell whether a point lies in one of the rings, by the crossings of a ray."""
    inside = False
    for ring in rings:
        for (x1, y1), (x2, y2) in zip(ring, np.roll(ring, -1, axis=0), strict=True):
            if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
                inside = not inside
    return inside


def test_palo_alto_is_land_and_san_francisco_bay_is_water():
    x, y = mercator(np.array([-122.5, -121.8]), np.array([37.2, 37.8]))
    rings = land_outlines(frame_around(x, y))
    assert is_inside(rings, *mercator(-122.145, 37.43))
    assert not is_inside(rings, *mercator(-122.25, 37.62))


@given(points)
def test_a_clipped_area_lies_in_the_frame(ring):
    clipped = MapFrame(-1, -1, 1, 1).clip(np.array(ring))
    assert (np.abs(clipped) <= 1 + 1e-9).all()


def test_a_single_place_has_land_around_it():
    x, y = mercator(np.array([-122.1]), np.array([37.4]))
    frame = frame_around(x, y)
    assert frame.left < x[0] < frame.right
    assert frame.bottom < y[0] < frame.top
    assert land_outlines(frame)
