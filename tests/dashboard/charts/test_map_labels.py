"""The names on the map."""

import math
from itertools import combinations

import pandas as pd
import pytest

from dashboard.charts.map_frame import frame_around
from dashboard.charts.map_labels import map_labels
from dashboard.charts.theme import TEXT_SIZE

PLACES = pd.DataFrame(
    [
        ("Palo Alto 94304", -122.16, 37.40, 20_000),
        ("Mountain View 94040", -122.08, 37.38, 15_000),
        ("Menlo Park 94025", -122.18, 37.45, 9_000),
        ("Redwood City 94063", -122.21, 37.49, 3_000),
        ("San Jose 95122", -121.83, 37.33, 2_500),
        ("Brisbane 94005", -122.40, 37.68, 2_000),
        ("Gilroy 95020", -121.57, 37.01, 1),
    ],
    columns=["place", "x", "y", "count"],
)
FRAME = frame_around(PLACES["x"], PLACES["y"])
LABELS = map_labels(PLACES, FRAME, (20, 1400), 20_000)
LARGEST = PLACES.head(6).assign(radius=[21, 18.4, 14.3, 8.5, 7.9, 7.1]).set_index("place")


def names_at_height(height: int) -> pd.DataFrame:
    """Return the names on a map of a height, with x and y in pixels."""
    shown = LABELS[(LABELS["from"] <= height) & (height < LABELS["to"])].set_index("place")
    scale = height / FRAME.height
    return shown.assign(x=shown["x"] * scale, y=shown["y"] * scale)


@pytest.mark.parametrize("height", [80, 100, 165, 200, 300, 420, 700])
def test_no_name_lies_over_another_one_or_over_a_larger_circle(height: int) -> None:
    labels, scale = names_at_height(height), height / FRAME.height
    for (one, a), (other, b) in combinations(labels.iterrows(), 2):
        width = (len(one) + len(other)) / 2 * 0.5 * TEXT_SIZE
        assert abs(a["x"] - b["x"]) >= width or abs(a["y"] - b["y"]) >= TEXT_SIZE, (one, other)
    for place, label in labels.iterrows():
        half_width = len(place) / 2 * 0.5 * TEXT_SIZE
        for _, circle in LARGEST.loc[:place].iterrows():
            dx = max(0, abs(label["x"] - circle["x"] * scale) - half_width)
            dy = max(0, abs(label["y"] - circle["y"] * scale) - TEXT_SIZE / 2)
            assert math.hypot(dx, dy) >= circle["radius"]


def test_more_names_have_a_place_on_a_larger_map_and_the_smallest_circle_never_has_one() -> None:
    shown = [set(names_at_height(height).index) for height in (80, 100, 420)]
    assert [len(names) for names in shown] == [0, 2, 6]
    assert "Palo Alto 94304" in shown[1]
