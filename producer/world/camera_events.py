"""The events that a camera sees: a function of the camera and the interval, nothing else."""

from math import log
from typing import NamedTuple

from producer.world.intervals import Interval
from producer.world.model import Camera
from producer.world.outages import outages
from producer.world.seeded import uniforms
from producer.world.time_units import DAY, HOUR, MINUTE, SECOND

MIN_DURATION = 4 * SECOND
MEAN_EXTRA_DURATION = 15 * SECOND
"""Mean of the exponentially distributed time that an event lasts beyond ``MIN_DURATION``."""
LONG_DURATION = 30 * SECOND
"""An event that lasts so long is reported twice: when it begins and when it is over."""
MAX_DURATION = 5 * MINUTE


class CameraEvent(NamedTuple):
    """Something that a camera saw or heard.

    ``zones``, in [0, 1), decides in which of the camera's activity zones it was.
    """

    start: int
    end: int
    has_person: bool
    has_sound: bool
    has_motion: bool
    zones: float

    @property
    def is_long(self) -> bool:
        """Return whether it is reported while it goes on, too."""
        return self.end - self.start >= LONG_DURATION


def camera_events(camera: Camera, interval: Interval) -> list[CameraEvent]:
    """Return the events of an interval of at most an hour, in order; no two overlap.

    Each begins and ends within the interval, so that no interval depends on another.
    """
    people = camera.spot.people_per_day * camera.people_factor * interval.people_factor
    passing = people + camera.spot.others_per_day * interval.others_factor
    mean_gap = 24 * HOUR / passing
    draws = uniforms(b"%s sees %d" % (camera.seed, interval.start))
    moment = interval.start - mean_gap * log(1 - next(draws))
    events: list[CameraEvent] = []
    while moment < interval.end:
        start = int(moment)
        moment -= mean_gap * log(1 - next(draws))
        end = start + MIN_DURATION + int(-MEAN_EXTRA_DURATION * log(1 - next(draws)))
        end = min(end, start + MAX_DURATION, int(moment), interval.end - 1)
        has_person = next(draws) * passing < people
        sound = next(draws)
        has_motion = has_person or sound >= 0.08  # else only heard: a dog around the corner
        if end > start:
            event = CameraEvent(start, end, has_person, sound < 0.3, has_motion, next(draws))
            events.append(event)
    return _while_online(events, camera, interval) if events else events


def _while_online(
    events: list[CameraEvent], camera: Camera, interval: Interval
) -> list[CameraEvent]:
    # An interval lies within one day, so that day's outages are all that matter.
    offline = [o for o in outages(camera, interval.start // DAY) if o.start < interval.end]
    if not offline:
        return events
    return [e for e in events if not any(e.start < o.end and e.end > o.start for o in offline)]
