"""What a drill is: a fault, and the one answer that the system has to it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from demo.drills.running_demo import RunningDemo

Disturb = Callable[[RunningDemo], Iterator[str]]
"""Makes the fault in the running demo, and yields what it did and saw, a sentence at a time."""


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """The pipeline does not start on what is broken: it says what happened, and what mends it."""

    pattern: str
    """A regular expression that is found in what the pipeline prints."""
    says: str
    """What it says, in short."""
    mend: tuple[tuple[str, ...], ...]
    """`nest` commands that mend it, in order. Words such as NEST_LAKE=lake before a command are
    settings for it."""


@dataclass(frozen=True, kw_only=True)
class Drill:
    """A fault by name.

    A drill with a refusal runs while the pipeline is stopped; then the pipeline is started and has
    to refuse, the commands mend it, and it starts. All others are survived without a hand.
    """

    name: str
    does: str
    """What it does, as an imperative sentence."""
    watch_for: str
    """What one sees meanwhile, and where."""
    heals: str
    """How it heals."""
    shows: str
    """The guarantee that it shows."""
    disturb: Disturb
    refusal: Refusal | None = None
