"""What a camera sees: a function of the camera (its seed in its id) and the slot, nothing else."""

from math import log
from typing import NamedTuple

from producer.world.activity import Slot
from producer.world.model import Camera
from producer.world.outages import outages
from producer.world.seeded import uniforms
from producer.world.time_units import DAY, HOUR, MINUTE, SECOND

SHORTEST = 4 * SECOND
MEAN_LINGER = 15 * SECOND
LONG = 30 * SECOND
"""What lasts so long is reported twice: when it begins and when it is over."""
LONGEST = 5 * MINUTE


class Sight(NamedTuple):
    """Something that a camera saw; ``zones`` is a draw that says in which activity zones."""

    start: int
    end: int
    person: bool
    sound: bool
    motion: bool
    zones: float

    @property
    def is_long(self) -> bool:
        """Tell whether it was already reported while it went on."""
        return self.end - self.start >= LONG


def sights(camera: Camera, slot: Slot) -> list[Sight]:
    """Return what the camera sees in a slot, in order and one thing at a time.

    All of it begins and ends within the slot, so that slots know nothing of each other.
    """
    people = camera.spot.people_per_day * camera.people_factor * slot.people
    both = people + camera.spot.others_per_day * slot.others
    mean_gap = 24 * HOUR / both
    draws = uniforms(b"%s sees %d" % (camera.seed, slot.start))
    moment = slot.start - mean_gap * log(1 - next(draws))
    seen: list[Sight] = []
    while moment < slot.end:
        start = int(moment)
        moment -= mean_gap * log(1 - next(draws))
        end = start + SHORTEST + int(-MEAN_LINGER * log(1 - next(draws)))
        end = min(end, start + LONGEST, int(moment), slot.end - 1)
        nature, sound = next(draws) * both, next(draws)
        person = nature < people
        heard_only = not person and sound < 0.08  # a dog around the corner
        if end > start:
            seen.append(Sight(start, end, person, sound < 0.3, not heard_only, next(draws)))
    return _while_online(seen, camera, slot) if seen else seen


def _while_online(seen: list[Sight], camera: Camera, slot: Slot) -> list[Sight]:
    # A slot may end where the next day begins, never beyond it.
    blind = [o for o in outages(camera, slot.start // DAY) if o.start < slot.end]
    if not blind:
        return seen
    return [s for s in seen if not any(s.start < o.end and s.end > o.start for o in blind)]
