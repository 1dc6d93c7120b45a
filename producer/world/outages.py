"""When a camera is offline: mostly short spells, now and then one of days."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from math import log
from typing import NamedTuple

from producer.world.model import Camera
from producer.world.seeded import uniforms
from producer.world.time_units import DAY, HOUR, SECOND

LONGEST_DAYS = 3
SHARE_OF_LONG = 0.12


class Outage(NamedTuple):
    """A spell in which a camera is offline, the end not included."""

    start: int
    end: int


def outages(camera: Camera, day: int) -> tuple[Outage, ...]:
    """Return the camera's outages that touch a day (counted from 1970, UTC), joined and in order.

    One that goes on beyond the day may be joined there by another: its end is right only if it
    lies within the day.
    """
    return _outages(camera.device_id, camera.outages_per_day, day)


@lru_cache(maxsize=1 << 19)  # a camera is asked about the same day for each of its hours
def _outages(device_id: str, trouble: float, day: int) -> tuple[Outage, ...]:
    days = range(day - LONGEST_DAYS, day + 1)
    begun = sorted(chain.from_iterable(_begun_on(device_id, trouble, each) for each in days))
    joined: list[Outage] = []
    for spell in begun:
        if joined and spell.start <= joined[-1].end:
            joined[-1] = Outage(joined[-1].start, max(joined[-1].end, spell.end))
        else:
            joined.append(spell)
    return tuple(spell for spell in joined if spell.end > day * DAY)


def _begun_on(device_id: str, trouble: float, day: int) -> Iterator[Outage]:
    draws = uniforms(b"%s offline %d" % (device_id.encode(), day))
    if next(draws) < trouble:
        start = day * DAY + int(DAY * next(draws))
        if next(draws) < SHARE_OF_LONG:
            length = 6 * HOUR + int((LONGEST_DAYS * DAY - 6 * HOUR) * next(draws))
        else:
            length = 120 * SECOND + int(min(-log(1 - next(draws)), 5) * HOUR / 2)
        yield Outage(start, start + length)
