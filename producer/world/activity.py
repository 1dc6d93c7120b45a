"""How busy an hour is: nights, mornings, evenings and weekends, and the rush of a live world."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from producer.world.places import TIME_ZONE
from producer.world.time_units import DAY, HOUR, SECOND

# How many times more than on average over the day people move, by local hour.
PEOPLE_ON_A_WEEKDAY = (
    0.15, 0.10, 0.08, 0.08, 0.12, 0.35, 0.90, 1.60, 1.75, 1.10, 0.80, 0.85,
    1.00, 0.90, 0.90, 1.10, 1.50, 2.00, 2.20, 2.00, 1.60, 1.15, 0.70, 0.35,
)  # fmt: skip
PEOPLE_ON_A_WEEKEND = (
    0.30, 0.20, 0.12, 0.08, 0.08, 0.15, 0.35, 0.70, 1.15, 1.55, 1.75, 1.70,
    1.60, 1.50, 1.45, 1.45, 1.50, 1.60, 1.65, 1.50, 1.30, 1.05, 0.80, 0.50,
)  # fmt: skip
# Cars, pets and wind know no weekend and sleep less.
OTHERS = (
    0.50, 0.45, 0.40, 0.40, 0.50, 0.80, 1.20, 1.40, 1.40, 1.10, 1.00, 1.00,
    1.00, 1.00, 1.00, 1.10, 1.30, 1.50, 1.50, 1.40, 1.20, 1.00, 0.80, 0.60,
)  # fmt: skip

BUSY = 4
"""An hour with more people than so many times the average is drawn in parts."""
_PARTS = (1, 2, 3, 4, 6, 10, 12, 20, 30, 60, 120, 240, 600, 1200, 3600)

_ZONE = ZoneInfo(TIME_ZONE)


@dataclass(frozen=True, slots=True)
class Slot:
    """A stretch of time that is drawn at once: an hour, or a part of one in a very busy world.

    ``people`` and ``others`` are how many times more of them pass than on average.
    """

    start: int
    end: int
    people: float
    others: float

    @property
    def hours(self) -> float:
        """Return the slot's length in hours."""
        return (self.end - self.start) / HOUR


Rhythm = Callable[[int], Slot]
"""The slot that a moment is in."""


@lru_cache(maxsize=1024)
def hour_of(moment: int) -> Slot:
    """Return the hour that a moment is in, as busy as people's day makes it."""
    start = moment - moment % HOUR
    local = datetime.fromtimestamp(start / SECOND, UTC).astimezone(_ZONE)
    people = PEOPLE_ON_A_WEEKEND if local.weekday() >= 5 else PEOPLE_ON_A_WEEKDAY
    return Slot(start, start + HOUR, people[local.hour], OTHERS[local.hour])


def day_of(moment: int) -> Slot:
    """Return the day, UTC, that a moment is in."""
    start = moment - moment % DAY
    return Slot(start, start + DAY, 1.0, 1.0)


def busiest_hour_before(moment: int) -> Slot:
    """Return the hour with the most people of the 24 before a moment."""
    return max((hour_of(moment - n * HOUR) for n in range(1, 25)), key=lambda slot: slot.people)


def live_rhythm(live_from: int, busier: float) -> Rhythm:
    """Make the rhythm of a world that goes live at ``live_from``, a whole hour.

    Until then it follows people's day. From then on it keeps the pace of the busiest hour of the
    day before, ``busier`` times, so that somebody who watches at night sees people too.
    """
    rush = busiest_hour_before(live_from)
    people, others = rush.people * busier, rush.others * busier
    length = HOUR // _parts(people)

    @lru_cache(maxsize=1024)
    def live_slot(start: int) -> Slot:
        return Slot(start, start + length, people, others)

    def slot_of(moment: int) -> Slot:
        if moment < live_from:
            return hour_of(moment)
        return live_slot(moment - moment % length)

    return slot_of


def _parts(people: float) -> int:
    """Return in how many slots an hour is drawn: more in a busier world, to bound memory."""
    return next((parts for parts in _PARTS if people <= BUSY * parts), _PARTS[-1])
