"""The timeline of a world: what a world is simulated from when to when, and how busy it is."""

from collections.abc import Callable
from dataclasses import dataclass

from producer.world.activity import hour_of, live_activity
from producer.world.intervals import Activity
from producer.world.model import Home
from producer.world.seeded import stable_id


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

    def token(self, home: Home) -> str:
        """Return a home's access token: the timeline's start and turn to live, and a seal."""
        begun = f"{self.start:011x}{self.live_from or 0:011x}"
        seal = f"{self.seed} {home.structure_id} {begun} {self.load_factor:.6f}"
        return f"c.{begun}{stable_id(seal.encode(), 15)}"

    def activity(self) -> Activity:
        """Return how busy the world is over time."""
        if self.live_from is None:
            return hour_of
        return live_activity(self.live_from, self.load_factor)


def timeline_of(
    token: str, seed: int, home: Home, load_factor_at: Callable[[int], float]
) -> Timeline | None:
    """Read from a home's token which live timeline it tells; None if it is not of this world."""
    try:
        start, live_from = int(token[2:13], 16), int(token[13:24], 16)
    except ValueError:
        return None
    if not live_from:
        return None
    timeline = Timeline(seed, start, live_from, load_factor_at(live_from))
    return timeline if timeline.token(home) == token else None
