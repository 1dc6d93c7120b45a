"""When a camera is offline: mostly for minutes, now and then for days."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from math import log
from typing import NamedTuple

from producer.world.model import Camera
from producer.world.seeded import uniforms
from producer.world.time_units import DAY, HOUR, SECOND

MAX_DAYS = 3
SHARE_OF_LONG = 0.12


class Outage(NamedTuple):
    """A time in which a camera is offline; ``end`` is not included."""

    start: int
    end: int


def outages(camera: Camera, day: int) -> tuple[Outage, ...]:
    """Return the camera's outages that touch a day (counted from 1970, UTC), in order.

    Overlapping outages are joined. An outage that goes on after the day may overlap one that
    begins later, so its end is right only if it lies within the day.
    """
    return _outages(camera.device_id, camera.outages_per_day, day)


@lru_cache(maxsize=1 << 19)  # each of a camera's hours asks for the same day
def _outages(device_id: str, outages_per_day: float, day: int) -> tuple[Outage, ...]:
    days = range(day - MAX_DAYS, day + 1)
    begun = sorted(chain.from_iterable(_begun_on(device_id, outages_per_day, d) for d in days))
    joined: list[Outage] = []
    for outage in begun:
        if joined and outage.start <= joined[-1].end:
            joined[-1] = Outage(joined[-1].start, max(joined[-1].end, outage.end))
        else:
            joined.append(outage)
    return tuple(outage for outage in joined if outage.end > day * DAY)


def _begun_on(device_id: str, outages_per_day: float, day: int) -> Iterator[Outage]:
    draws = uniforms(b"%s offline %d" % (device_id.encode(), day))
    if next(draws) < outages_per_day:
        start = day * DAY + int(DAY * next(draws))
        if next(draws) < SHARE_OF_LONG:
            length = 6 * HOUR + int((MAX_DAYS * DAY - 6 * HOUR) * next(draws))
        else:
            length = 120 * SECOND + int(min(-log(1 - next(draws)), 5) * HOUR / 2)
        yield Outage(start, start + length)
