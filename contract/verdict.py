"""The verdict of ``nest check``, as the check gives it and dashboard and metrics read it."""

from dataclasses import asdict, dataclass, field
from typing import Any

from pydantic import TypeAdapter

from contract.typed_json import decode_json


@dataclass(frozen=True)
class Comparison:
    """What is compared, what it must be, what it is, whether that holds, and first differences."""

    what: str
    expected: str
    found: str
    holds: bool
    examples: list[str] = field(default_factory=list)


@dataclass
class InjectedDirt:
    """One kind of dirt: how many records of it were sent, and how many were caught."""

    kind: str
    becomes: str
    injected: int = 0
    caught: int = 0


@dataclass(frozen=True)
class Verdict:
    """Every comparison of a run of the check, and notes on what it saw that is no error."""

    comparisons: list[Comparison]
    notes: list[str] = field(default_factory=list)
    dirt: list[InjectedDirt] = field(default_factory=list)
    """What became of the dirt that was injected on purpose, by kind."""
    values: int = 0
    """How many values were compared one by one."""

    @property
    def holds(self) -> bool:
        """Tell whether everything holds; a check that compares nothing proves nothing."""
        return bool(self.comparisons) and not self.differing

    @property
    def differing(self) -> list[Comparison]:
        """Return the comparisons that do not hold."""
        return [each for each in self.comparisons if not each.holds]

    def as_json(self) -> dict[str, Any]:
        """Return the verdict as ``nest check --format json`` prints it."""
        return {"holds": self.holds, **asdict(self)}


_VERDICT = TypeAdapter(Verdict)


def decode_verdict(text: str) -> Verdict:
    """Read what ``nest check --format json`` has printed; ValueError for anything else."""
    return decode_json(_VERDICT, text.encode())
