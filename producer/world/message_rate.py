"""How many messages a second a world sends, and how busy it has to be to send a given number."""

from collections.abc import Sequence
from math import exp

from producer.world.activity import live_rhythm
from producer.world.camera_events import LONG, MEAN_LINGER, SHORTEST
from producer.world.model import Home
from producer.world.thermostat_readings import READINGS_PER_HOUR
from producer.world.time_units import DAY, HOUR, SECOND


def live_rate(homes: Sequence[Home], live_from: int, busier: float = 1.0) -> float:
    """Return the messages a second to expect of a live world.

    At the usual pace that is the rate of the busiest hour of the day before ``live_from``.
    """
    slot = live_rhythm(live_from, busier)(live_from)
    # A sight is reported twice if it lingers, if nothing else comes by before, if the slot lasts.
    lingers = exp(-(LONG - SHORTEST) / MEAN_LINGER)
    lingers *= max(0.0, 1 - LONG / (slot.end - slot.start))
    messages = 0.0
    for home in homes:
        messages += len(home.thermostats) * READINGS_PER_HOUR / (HOUR / SECOND)
        for camera in home.cameras:
            people = camera.spot.people_per_day * camera.people_factor * slot.people
            sights = (people + camera.spot.others_per_day * slot.others) / (DAY / SECOND)
            messages += sights * (1 + lingers * exp(-sights * LONG / SECOND))
    return messages


def busier_for(rate: float, homes: Sequence[Home], live_from: int) -> float:
    """Return how many times busier than usual a world is that sends ``rate`` messages a second.

    It never gets quite still: thermostats go on.
    """
    low, high = 0.001, 1.0
    while live_rate(homes, live_from, high) < rate:
        low, high = high, 2 * high
    for _ in range(20):
        middle = (low + high) / 2
        if live_rate(homes, live_from, middle) < rate:
            low = middle
        else:
            high = middle
    return round(high, 6)
