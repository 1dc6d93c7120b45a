"""Homes stand in real zip codes, many of them in a few hot ones."""

from collections import Counter

import zipcodes

from producer.world.places import HOT_ZIP_CODES, places
from tests.producer.first_homes import first_homes

HOMES = first_homes()


def test_three_hot_zip_codes_hold_30_20_and_15_percent_of_the_homes() -> None:
    count = Counter(home.place.zip_code for home in HOMES)
    assert [zip_code for zip_code, _ in count.most_common(3)] == list(HOT_ZIP_CODES)
    for (_, found), expected in zip(count.most_common(3), (0.30, 0.20, 0.15), strict=True):
        assert abs(found / len(HOMES) - expected) < 0.03
    assert len(count) > 50
    assert count.most_common(4)[3][1] < 20


def test_every_place_is_real() -> None:
    for place in places()[0]:
        (real,) = zipcodes.matching(place.zip_code)
        assert (place.city, place.state) == (real["city"], real["state"])
        assert (place.latitude, place.longitude) == (real["lat"], real["long"])
