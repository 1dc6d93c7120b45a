"""What a thermostat measures: now and then a reading that differs from the last."""

from typing import NamedTuple

from producer.world.activity import Slot
from producer.world.model import Thermostat
from producer.world.seeded import uniforms

READINGS_PER_HOUR = 0.65


class Reading(NamedTuple):
    """A thermostat's reading: temperature in °C in steps of a half, relative humidity in %."""

    moment: int
    ambient: float
    humidity: int


def readings(thermostat: Thermostat, slot: Slot) -> list[Reading]:
    """Return the readings that a thermostat reports in a slot: one or none."""
    draws = uniforms(b"%s reads %d" % (thermostat.device_id.encode(), slot.start))
    if next(draws) >= READINGS_PER_HOUR * slot.hours:
        return []
    moment = slot.start + int((slot.end - slot.start) * next(draws))
    ambient = thermostat.target - 1.5 + round(6 * next(draws)) / 2
    return [Reading(moment, ambient, 30 + 5 * int(6 * next(draws)))]
