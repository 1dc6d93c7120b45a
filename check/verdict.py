"""The check's verdict: one line for each comparison, and whether all of them hold."""

from dataclasses import asdict, dataclass, field
from typing import Any

from check.dirt import InjectedDirt


@dataclass(frozen=True)
class Comparison:
    """What is compared, what it must be, what it is, whether that holds, and first differences."""

    what: str
    expected: str
    found: str
    holds: bool
    examples: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Verdict:
    """Every comparison of a run of the check, and notes on what it saw that is no error."""

    comparisons: list[Comparison]
    notes: list[str]
    dirt: list[InjectedDirt]
    """What became of the dirt that was injected on purpose, by kind."""
    values: int = 0
    """How many values were compared one by one."""

    @property
    def holds(self) -> bool:
        """Tell whether everything holds; a check that compares nothing proves nothing."""
        return bool(self.comparisons) and all(each.holds for each in self.comparisons)

    def as_json(self) -> dict[str, Any]:
        """Return the verdict as ``nest check --format json`` prints it."""
        return {"holds": self.holds, **asdict(self)}
