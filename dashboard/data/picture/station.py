"""A station and an arrow of the picture of the pipeline."""

from typing import Literal, NamedTuple

Condition = Literal["well", "waiting", "down", "unknown"]
"""Waiting: messages wait. Down: it does not work. Unknown: nothing tells."""
NOTHING = "…"
"""The figure of a station about which nothing is known."""


class Station(NamedTuple):
    """A station: its figure, what that is about, and whether all is well."""

    name: str
    title: str
    value: str
    note: str
    condition: Condition
    meaning: str
    """What it is, as the glossary has it."""


class Flow(NamedTuple):
    """An arrow from one station to another."""

    source: str
    target: str
    rate: str
    """What passes now, per second; empty if it is not measured."""
    speed: int
    """How fast it moves, from 0 (not at all) to 3."""
    condition: Condition
    committed: int
    """A number that grows with each commit that passed here; -1 before the first one."""
    step: int = 0
    """How many stations a batch has passed when it comes here."""


class PipelinePicture(NamedTuple):
    """The picture as of one moment."""

    stations: tuple[Station, ...]
    flows: tuple[Flow, ...]

    @property
    def description(self) -> str:
        """The picture in words, for those who do not see it."""
        titles = {each.name: each.title for each in self.stations}
        stations = [f"{each.title}: {_state(each)}." for each in self.stations]
        rates = [
            f"{titles[each.source]} to {titles[each.target]}: {each.rate}."
            for each in self.flows
            if each.rate
        ]
        return " ".join(["The pipeline now.", *stations, *rates])


def _state(station: Station) -> str:
    condition = {"down": ", down", "waiting": ", behind", "unknown": ", state not known"}
    return f"{station.value} ({station.note}){condition.get(station.condition, '')}"


def speed(per_second: float | None) -> int:
    """Return how fast an arrow moves at a rate: each step is ten times as much."""
    if not per_second:
        return 0
    return 1 if per_second < 10 else 2 if per_second < 100 else 3
