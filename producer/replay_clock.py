"""When a record of simulated time is due in real time."""

import time

from producer.world.time_units import SECOND


class ReplayClock:
    """The clock of a timeline that is played from a moment on.

    Without ``speed`` everything of the past is due at once. With it the past passes at so many
    times real time. What is still to come is due at its own moment.
    """

    def __init__(self, begin: int, speed: float | None) -> None:
        self._begin = begin
        self._speed = speed
        self._started = now()

    def seconds_until(self, moment: int) -> float:
        """Return for how many seconds a record of that moment has to wait; 0 if it is due."""
        due = float(moment)
        if self._speed is not None:
            due = max(due, self._started + (moment - self._begin) / self._speed)
        return max(0.0, due - time.time() * SECOND) / SECOND


def now() -> int:
    """Return the wall clock in milliseconds since 1970."""
    return int(time.time() * SECOND)
