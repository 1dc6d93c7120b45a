"""When a record leaves, and how often somebody has a look at things."""

import time

from producer.world.time_units import SECOND


class Pace:
    """The pace of a story from ``begin`` on: what lies in the past leaves at once.

    With ``speed`` the past passes at so many times real time.
    """

    def __init__(self, begin: int, speed: float | None) -> None:
        self._begin = begin
        self._speed = speed
        self._started = now()

    def wait(self, moment: int) -> float:
        """Return how many seconds are left until a record of that moment leaves, if any."""
        due = float(moment)
        if self._speed is not None:
            due = max(due, self._started + (moment - self._begin) / self._speed)
        return max(0.0, due - time.time() * SECOND) / SECOND


class Every:
    """True once every so many seconds, beginning at once."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._next = 0.0

    def __call__(self) -> bool:
        """Tell whether it is time again."""
        if time.monotonic() < self._next:
            return False
        self._next = time.monotonic() + self._seconds
        return True


def now() -> int:
    """Return the wall clock in milliseconds since 1970."""
    return int(time.time() * SECOND)
