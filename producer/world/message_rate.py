"""How many messages a second a world sends, and the load factor for a wanted rate."""

from collections.abc import Sequence
from math import exp

from producer.world.activity import live_activity
from producer.world.camera_events import LONG_DURATION, MEAN_EXTRA_DURATION, MIN_DURATION
from producer.world.model import Home
from producer.world.thermostat_readings import READINGS_PER_HOUR
from producer.world.time_units import DAY, HOUR, SECOND


def live_rate(homes: Sequence[Home], live_from: int, load_factor: float = 1.0) -> float:
    """Return the expected number of messages a second of a live world.

    With a load factor of 1 it is the rate of the busiest hour of the day before ``live_from``.
    """
    interval = live_activity(live_from, load_factor)(live_from)
    # An event is reported twice if it is long: if it would last, if no other event comes before
    # and if the interval does not end before.
    share_of_long = exp(-(LONG_DURATION - MIN_DURATION) / MEAN_EXTRA_DURATION)
    share_of_long *= max(0.0, 1 - LONG_DURATION / (interval.end - interval.start))
    messages = 0.0
    for home in homes:
        messages += len(home.thermostats) * READINGS_PER_HOUR / (HOUR / SECOND)
        for camera in home.cameras:
            people = camera.spot.people_per_day * camera.people_factor * interval.people_factor
            others = camera.spot.others_per_day * interval.others_factor
            events = (people + others) / (DAY / SECOND)
            messages += events * (1 + share_of_long * exp(-events * LONG_DURATION / SECOND))
    return messages


def load_factor_for(rate: float, homes: Sequence[Home], live_from: int) -> float:
    """Return the load factor with which a world sends ``rate`` messages a second.

    No load factor gives less than the thermostats send: they do not depend on it.
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
