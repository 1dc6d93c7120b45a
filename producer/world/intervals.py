"""Intervals of simulated time: what happens in a world is drawn interval by interval."""

from collections.abc import Callable
from dataclasses import dataclass

from producer.world.time_units import HOUR


@dataclass(frozen=True, slots=True)
class Interval:
    """An hour, or a part of one in a very busy world; ``end`` is not included.

    ``people_factor`` and ``others_factor`` say how many times more people and others than on
    average over the day pass a camera in it.
    """

    start: int
    end: int
    people_factor: float
    others_factor: float

    @property
    def hours(self) -> float:
        """Return the interval's length in hours."""
        return (self.end - self.start) / HOUR


Activity = Callable[[int], Interval]
"""How busy a world is over time: returns the interval that a moment is in."""
