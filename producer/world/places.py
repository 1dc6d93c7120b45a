"""Where homes stand: the real zip codes of one metropolitan area, a few of them hot."""

from functools import cache
from itertools import accumulate

import zipcodes

from producer.world.model import Place
from producer.world.seeded import weighted_choice

STATE = "CA"
COUNTIES = ("Santa Clara County", "San Mateo County")
TIME_ZONE = "America/Los_Angeles"

HOT_ZIP_CODES = {"94304": 0.30, "94040": 0.20, "94025": 0.15}
"""Share of the homes in Palo Alto, Mountain View and Menlo Park; the others share the rest."""


@cache
def places() -> tuple[tuple[Place, ...], tuple[float, ...]]:
    """Return the area's places, the hot ones first, and their shares of the homes, summed up."""
    area = [
        Place(found["zip_code"], found["city"], found["state"], found["lat"], found["long"])
        for found in zipcodes.filter_by(state=STATE, zip_code_type="STANDARD", active=True)
        if found["county"] in COUNTIES
    ]
    hot = list(HOT_ZIP_CODES)
    area.sort(key=lambda place: (place.zip_code not in hot, place.zip_code))
    rest = (1 - sum(HOT_ZIP_CODES.values())) / (len(area) - len(hot))
    shares = accumulate(HOT_ZIP_CODES.get(place.zip_code, rest) for place in area)
    return tuple(area), tuple(shares)


def choose_place(draw: float) -> Place:
    """Return the place of a home for a number in [0, 1)."""
    return weighted_choice(*places(), draw)
