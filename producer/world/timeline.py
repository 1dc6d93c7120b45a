"""The timeline of a world: when its simulation starts, when it goes live, and how busy it is."""

from dataclasses import dataclass

from producer.world.activity import hour_of, live_activity
from producer.world.intervals import Activity


@dataclass(frozen=True)
class Timeline:
    """The life of a world from ``start`` on.

    From ``live_from``, a whole hour, every hour is ``load_factor`` times as busy as the busiest one
    of the day before; without ``live_from`` every hour is as busy as its time of day makes it.
    """

    seed: int
    start: int
    live_from: int | None = None
    load_factor: float = 1.0

    def activity(self) -> Activity:
        """Return how busy the world is over time."""
        if self.live_from is None:
            return hour_of
        return live_activity(self.live_from, self.load_factor)
