"""What the check has come to: one comparison a line, and whether all of them hold."""

from dataclasses import asdict, dataclass, field
from typing import Any

from check.dirt import InjectedDirt
from check.examples import MAX_EXAMPLES, Examples


@dataclass(frozen=True)
class Comparison:
    """One thing compared: what must be, what is, whether that holds, and the first differences."""

    what: str
    expected: str
    found: str
    holds: bool
    examples: list[str] = field(default_factory=list)


@dataclass
class Verdict:
    """Every comparison of a run of the check, and notes on what it saw that is no error."""

    comparisons: list[Comparison] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    dirt: list[InjectedDirt] = field(default_factory=list)
    """What became of the dirt that was injected on purpose, by kind."""

    @property
    def holds(self) -> bool:
        """Tell whether everything holds; a check without a comparison proves nothing."""
        return bool(self.comparisons) and all(each.holds for each in self.comparisons)

    def equal(self, what: str, expected: str, found: str) -> None:
        """Add a comparison that holds if both sides read the same."""
        self.comparisons.append(Comparison(what, expected, found, expected == found))

    def between(self, what: str, low: int, high: int, found: int) -> None:
        """Add a number that must not lie outside two others."""
        expected = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        self.comparisons.append(Comparison(what, expected, f"{found:,}", low <= found <= high))

    def some(self, what: str, found: int) -> None:
        """Add a number that must not be zero: comparing nothing proves nothing."""
        self.comparisons.append(Comparison(what, "at least 1", f"{found:,}", found > 0))

    def none(self, what: str, found: Examples, of: str = "") -> None:
        """Add a kind of difference, of which there must be none."""
        self.comparisons.append(
            Comparison(what, f"0{of}", f"{found.count:,}", not found.count, found.first)
        )

    def note(self, what: str, cases: list[str]) -> None:
        """Say what was seen that is no error by itself, with the first cases."""
        if cases:
            self.notes.append(f"{len(cases):,} {what}: {'; '.join(cases[:MAX_EXAMPLES])}")

    def as_json(self) -> dict[str, Any]:
        """Return the verdict as ``nest check --format json`` prints it."""
        return {"holds": self.holds, **asdict(self)}
