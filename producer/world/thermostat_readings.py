"""What a thermostat measures: now and then a reading that differs from the last."""

from typing import NamedTuple

from producer.world.intervals import Interval
from producer.world.model import Thermostat
from producer.world.seeded import uniforms

READINGS_PER_HOUR = 0.65


class Reading(NamedTuple):
    """A thermostat's reading: temperature in °C in steps of a half, relative humidity in %."""

    moment: int
    temperature: float
    humidity: int


def readings(thermostat: Thermostat, interval: Interval) -> list[Reading]:
    """Return the readings that a thermostat reports in an interval: one or none."""
    draws = uniforms(b"%s reads %d" % (thermostat.device_id.encode(), interval.start))
    if next(draws) >= READINGS_PER_HOUR * interval.hours:
        return []
    moment = interval.start + int((interval.end - interval.start) * next(draws))
    temperature = thermostat.target - 1.5 + round(6 * next(draws)) / 2
    return [Reading(moment, temperature, 30 + 5 * int(6 * next(draws)))]
