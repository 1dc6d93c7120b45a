"""The story of a world: which one it is, when it began, and the token that remembers it.

What a camera sees does not depend on when somebody began to look, but what a document shows does:
a home's documents know only what happened since the story began, so that at first no camera has a
``last_event``. A producer that starts again must therefore know where its story began. It reads
that in the newest record: a home's access token says when it was issued, as tokens do.
"""

from collections.abc import Callable
from dataclasses import dataclass

from producer.world.activity import Rhythm, hour_of, live_rhythm
from producer.world.model import Home
from producer.world.seeded import stable_id


@dataclass(frozen=True)
class Story:
    """A world's life from ``start`` on.

    From ``live_from``, a whole hour, the world keeps the pace of its busiest hour, ``busier``
    times; without it, people's days go on for ever.
    """

    seed: int
    start: int
    live_from: int | None = None
    busier: float = 1.0

    def token(self, home: Home) -> str:
        """Return a home's access token: the story's beginning and turn to live, and a seal."""
        begun = f"{self.start:011x}{self.live_from or 0:011x}"
        seal = f"{self.seed} {home.structure_id} {begun} {self.busier:.6f}"
        return f"c.{begun}{stable_id(seal.encode(), 15)}"

    def rhythm(self) -> Rhythm:
        """Return how busy the story's moments are."""
        if self.live_from is None:
            return hour_of
        return live_rhythm(self.live_from, self.busier)


def story_of(token: str, seed: int, home: Home, busier: Callable[[int], float]) -> Story | None:
    """Read from a home's token which live story it tells; None if it is not one of this world.

    ``busier`` says how busy the world would be that went live at a moment: a world with another
    ``NEST_RATE`` tells another story.
    """
    try:
        start, live_from = int(token[2:13], 16), int(token[13:24], 16)
    except ValueError:
        return None
    if not live_from:
        return None
    story = Story(seed, start, live_from, busier(live_from))
    return story if story.token(home) == token else None
