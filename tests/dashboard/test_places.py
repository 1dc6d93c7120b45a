"""Where zip codes are, and the outline of the land below them."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.charts.basemap import Frame, frame_around, land, mercator
from dashboard.charts.zip_map import zip_map
from dashboard.data.device_places import read_places


def table(tmp_path, text: str):
    path = tmp_path / "places.csv"
    path.write_text(text)
    return read_places(str(path))


def test_a_zip_code_lies_amid_its_devices_and_stays_text(tmp_path):
    places = table(
        tmp_path,
        "device_id,zip_code,city,state,latitude,longitude\n"
        "a,01002,Amherst,MA,42.0,-72.0\nb,01002,Amherst,MA,44.0,-74.0\nc,94304,,CA,37.4,-122.1\n",
    )
    assert places.problem is None
    assert places.rows.to_numpy().tolist()[0] == ["01002", "Amherst", 43.0, -73.0]
    assert dict(places.devices.to_numpy().tolist()) == {"a": "01002", "b": "01002", "c": "94304"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("device_id,zip_code\na,94304\n", "has no column latitude and no longitude"),
        ("device_id,zip_code,latitude,longitude\na,94304,,\n", "no coordinates in any line"),
        ("device_id,zip_code,latitude,longitude\na,94304,north,nan\n", "no coordinates in any"),
        ("", "cannot be read"),
    ],
)
def test_a_table_without_coordinates_is_told(tmp_path, text, problem):
    places = table(tmp_path, text)
    assert problem in places.problem
    assert places.rows.empty


def test_a_table_that_is_not_there_is_told():
    assert "cannot be read" in read_places("/nowhere/places.csv").problem


def test_the_bay_is_water_and_palo_alto_is_land():
    x, y = mercator(np.array([-122.5, -121.8]), np.array([37.2, 37.8]))
    frame = frame_around(x, y)
    rings = land(frame)
    assert inside(rings, *mercator(-122.145, 37.43))
    assert not inside(rings, *mercator(-122.25, 37.62))


def inside(rings, x: float, y: float) -> bool:
    """Tell whether a point lies in one of the rings, by the crossings of a ray."""
    found = False
    for ring in rings:
        for (x1, y1), (x2, y2) in zip(ring, np.roll(ring, -1, axis=0), strict=True):
            if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
                found = not found
    return found


def test_the_map_has_water_land_and_every_zip_code():
    places = pd.DataFrame(
        {
            "zip_code": ["94304", "94043"],
            "city": ["Palo Alto", "Mountain View"],
            "latitude": [37.40, 37.41],
            "longitude": [-122.15, -122.08],
            "count": [5, 50],
            "highest": [3, 20],
        }
    )
    data = zip_map(places, places, height=400)["datasets"]
    assert data.pop("points")["zip_code"].tolist() == ["94043", "94304"]
    sea, counties = sorted(data.values(), key=len)
    assert len(sea) == 1
    assert len(counties) > 1


points = st.lists(st.tuples(st.floats(-3, 3), st.floats(-3, 3)), min_size=3, max_size=12)


@given(points)
def test_what_is_left_of_an_area_lies_in_the_frame(ring):
    frame = Frame(-1, -1, 1, 1)
    left = frame.clip(np.array(ring))
    assert (np.abs(left) <= 1 + 1e-9).all()


def test_one_place_alone_has_land_around_it():
    x, y = mercator(np.array([-122.1]), np.array([37.4]))
    frame = frame_around(x, y)
    assert frame.left < x[0] < frame.right
    assert frame.bottom < y[0] < frame.top
    assert land(frame)
