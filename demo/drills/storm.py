"""The storm: rounds of random kills, dirt, maintenance and forgetting, each ended by the check.

All of it follows from a seed, but for the moments at which processes happen to be where they are.
"""

import random
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from check import run_check
from contract.kafka.bounded_read import records_in_topic
from contract.kafka.connections import open_consumer
from contract.kafka.log_offsets import end_offsets
from contract.topics import NEST_LOGS
from demo.drills.registry import DRILLS
from demo.drills.running_demo import RunningDemo
from demo.drills.service_control import KAFKA, PIPELINE, PRODUCER

_ACTIONS_OF_A_ROUND = (2, 5)
"""How many things happen in a round, at least and at most."""
_PAUSE_S = (0.0, 6.0)
"""How long the demo is left alone between two of them."""


@dataclass(frozen=True)
class StormRound:
    """What happened in a round, and what the check found."""

    number: int
    actions: tuple[str, ...]
    seconds: float
    records: int
    """Records in nest-logs by then, all of which the check recounts."""
    comparisons: int
    differences: tuple[str, ...]
    """What did not hold; empty where everything did."""

    def as_json(self) -> dict[str, Any]:
        """Return the values by name."""
        return asdict(self)


def storm(demo: RunningDemo, seed: int, numbers: Iterable[int]) -> Iterator[StormRound]:
    """Yield each round of these numbers once its check is done; what happens is its number's."""
    for number in numbers:
        yield _round(demo, random.Random(f"{seed} {number}"), number)


def plan(draw: random.Random) -> list[tuple[str, float]]:
    """Draw what happens in a round, with the seconds before each action."""
    weights = [action.weight for action in _ACTIONS.values()]
    names = draw.choices(list(_ACTIONS), weights, k=draw.randint(*_ACTIONS_OF_A_ROUND))
    return [(name, draw.uniform(*_PAUSE_S)) for name in names]


def _round(demo: RunningDemo, draw: random.Random, number: int) -> StormRound:
    started = time.monotonic()
    actions = plan(draw)
    for name, pause in actions:
        time.sleep(pause)
        with demo.marked(name):
            _ACTIONS[name].take(demo, draw)
    demo.wait_until_recovered()
    verdict = run_check(demo.settings)
    return StormRound(
        number,
        tuple(name for name, _ in actions),
        round(time.monotonic() - started, 1),
        sum(end_offsets(demo.settings.kafka).values()),
        len(verdict.comparisons),
        tuple(f"{each.what}: {each.found}" for each in verdict.comparisons if not each.holds),
    )


def _kill(*services: str) -> Callable[[RunningDemo, random.Random], None]:
    return lambda demo, draw: demo.kill(*services)


def _kill_java(demo: RunningDemo, draw: random.Random) -> None:
    demo.kill_java(PIPELINE)


def _restart(demo: RunningDemo, draw: random.Random) -> None:
    with demo.stopped(draw.choice((KAFKA, PRODUCER, PIPELINE))):
        time.sleep(draw.uniform(*_PAUSE_S))


def _send_dirt(demo: RunningDemo, draw: random.Random) -> None:
    kinds = ("duplicates", "too-late", "clock-ahead", "poison", "changed-fields")
    drill = DRILLS[draw.choice(kinds)]
    for _ in drill.disturb(demo):
        pass


def _maintain(demo: RunningDemo, draw: random.Random) -> None:
    demo.require_success("maintain")


def _forget(demo: RunningDemo, draw: random.Random) -> None:
    with demo.stopped(PIPELINE):
        demo.require_success("forget", "--yes", "--structure", _some_home(demo, draw))


def _some_home(demo: RunningDemo, draw: random.Random) -> str:
    with open_consumer(demo.settings.kafka) as consumer:
        keys = {bytes(record.key) for record in records_in_topic(consumer, NEST_LOGS.name)} - {
            b"drill"
        }
    return draw.choice(sorted(keys)).decode()


class _Action(NamedTuple):
    weight: int
    """How likely it is, in proportion."""
    take: Callable[[RunningDemo, random.Random], None]


_ACTIONS = {
    "kill the pipeline": _Action(3, _kill(PIPELINE)),
    "kill Java": _Action(3, _kill_java),
    "kill the producer": _Action(2, _kill(PRODUCER)),
    "kill Kafka": _Action(3, _kill(KAFKA)),
    "kill Kafka and the pipeline": _Action(2, _kill(KAFKA, PIPELINE)),
    "kill all": _Action(1, _kill(KAFKA, PRODUCER, PIPELINE)),
    "restart": _Action(2, _restart),
    "send dirt": _Action(4, _send_dirt),
    "maintain": _Action(1, _maintain),
    "forget a home": _Action(1, _forget),
}
"""In another order a seed would mean other rounds."""
