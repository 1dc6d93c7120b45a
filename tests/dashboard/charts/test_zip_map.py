"""The map of the zip codes."""

import pandas as pd

from dashboard.charts.theme import ChartTheme
from dashboard.charts.zip_map import zip_map

LIGHT = ChartTheme("light", "black", ("white", "blue"))


def test_the_map_has_water_land_and_every_zip_code():
    places = pd.DataFrame(
        {
            "zip_code": ["94304", "94043"],
            "place": ["Palo Alto 94304", "Mountain View 94043"],
            "latitude": [37.40, 37.41],
            "longitude": [-122.15, -122.08],
            "count": [5, 50],
            "highest": [3, 20],
            "ring": ["", "#f59e0b"],
        }
    )
    data = zip_map(places, places, LIGHT, height=400)["datasets"]
    assert data.pop("points")["zip_code"].tolist() == ["94043", "94304"]
    assert set(data.pop("labels")["place"]) == {"Palo Alto 94304", "Mountain View 94043"}
    sea, counties = sorted(data.values(), key=len)
    assert len(sea) == 1
    assert len(counties) > 1
