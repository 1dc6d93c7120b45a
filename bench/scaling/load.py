"""What a home sends and its cameras see, calculated from the simulated world and not measured."""

from datetime import UTC, datetime
from functools import cache
from typing import NamedTuple

from producer.world.activity import busiest_hour_before
from producer.world.homes import build_home
from producer.world.message_rate import live_rate
from producer.world.time_units import DAY, SECOND

HOMES = 1_000
"""So many homes of the default world stand for all."""
_SEED = 1
_LIVE_FROM = round(datetime(2026, 11, 21, tzinfo=UTC).timestamp() * SECOND)
"""The 24 hours before it are those of a Friday; in milliseconds."""


class HomeLoad(NamedTuple):
    """The load of an average home; rates are those of the busiest hour of a weekday."""

    messages_s: float
    sightings_s: float
    """Events in which a person was seen."""
    cameras: float


@cache
def home_load() -> HomeLoad:
    """Return the load of an average home of the default world."""
    homes = [build_home(_SEED, number) for number in range(HOMES)]
    busiest = busiest_hour_before(_LIVE_FROM)
    cameras = [camera for home in homes for camera in home.cameras]
    people = sum(camera.spot.people_per_day * camera.people_factor for camera in cameras)
    return HomeLoad(
        live_rate(homes, _LIVE_FROM) / HOMES,
        people * busiest.people_factor / (DAY / SECOND) / HOMES,
        len(cameras) / HOMES,
    )
