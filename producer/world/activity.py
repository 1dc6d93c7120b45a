"""How busy each hour is: nights, mornings, evenings and weekends, and the rush of a live world."""

from datetime import UTC, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from producer.world.intervals import Activity, Interval
from producer.world.places import TIME_ZONE
from producer.world.time_units import DAY, HOUR, SECOND

# How many times more people than on average over the day move about, by local hour.
PEOPLE_ON_A_WEEKDAY = (
    0.15, 0.10, 0.08, 0.08, 0.12, 0.35, 0.90, 1.60, 1.75, 1.10, 0.80, 0.85,
    1.00, 0.90, 0.90, 1.10, 1.50, 2.00, 2.20, 2.00, 1.60, 1.15, 0.70, 0.35,
)  # fmt: skip
PEOPLE_ON_A_WEEKEND = (
    0.30, 0.20, 0.12, 0.08, 0.08, 0.15, 0.35, 0.70, 1.15, 1.55, 1.75, 1.70,
    1.60, 1.50, 1.45, 1.45, 1.50, 1.60, 1.65, 1.50, 1.30, 1.05, 0.80, 0.50,
)  # fmt: skip
# Cars, pets and wind are the same at weekends, and less quiet at night.
OTHERS = (
    0.50, 0.45, 0.40, 0.40, 0.50, 0.80, 1.20, 1.40, 1.40, 1.10, 1.00, 1.00,
    1.00, 1.00, 1.00, 1.10, 1.30, 1.50, 1.50, 1.40, 1.20, 1.00, 0.80, 0.60,
)  # fmt: skip

MAX_FACTOR_PER_HOUR = 4
"""An hour with a higher factor for people is split, so that memory for its events is bounded."""
_PARTS = (1, 2, 3, 4, 6, 10, 12, 20, 30, 60, 120, 240, 600, 1200, 3600)

_ZONE = ZoneInfo(TIME_ZONE)


@lru_cache(maxsize=1024)
def hour_of(moment: int) -> Interval:
    """Return the hour that a moment is in, as busy as its local time of day makes it."""
    start = moment - moment % HOUR
    local = datetime.fromtimestamp(start / SECOND, UTC).astimezone(_ZONE)
    people = PEOPLE_ON_A_WEEKEND if local.weekday() >= 5 else PEOPLE_ON_A_WEEKDAY
    return Interval(start, start + HOUR, people[local.hour], OTHERS[local.hour])


def day_of(moment: int) -> Interval:
    """Return the day, UTC, that a moment is in."""
    start = moment - moment % DAY
    return Interval(start, start + DAY, 1.0, 1.0)


def busiest_hour_before(moment: int) -> Interval:
    """Return the hour with the most people of the 24 before a moment."""
    hours = (hour_of(moment - n * HOUR) for n in range(1, 25))
    return max(hours, key=lambda hour: hour.people_factor)


def live_activity(live_from: int, load_factor: float) -> Activity:
    """Return the activity of a world that is live from ``live_from``, a whole hour.

    Until then it follows the time of day. From then on every hour is ``load_factor`` times as
    busy as the busiest hour of the day before, so that there is something to see at night too.
    """
    busiest = busiest_hour_before(live_from)
    people, others = busiest.people_factor * load_factor, busiest.others_factor * load_factor
    length = HOUR // _parts(people)

    @lru_cache(maxsize=1024)
    def live_interval(start: int) -> Interval:
        return Interval(start, start + length, people, others)

    def interval_of(moment: int) -> Interval:
        if moment < live_from:
            return hour_of(moment)
        return live_interval(moment - moment % length)

    return interval_of


def _parts(people_factor: float) -> int:
    """Return into how many intervals an hour is split."""
    enough = (parts for parts in _PARTS if people_factor <= MAX_FACTOR_PER_HOUR * parts)
    return next(enough, _PARTS[-1])
