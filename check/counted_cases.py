"""How often something was found, and the first few cases of it."""

from dataclasses import dataclass, field

_MOST_KEPT = 5


@dataclass
class CountedCases:
    """A count, and as many cases as a reader needs to begin looking."""

    count: int = 0
    first_cases: list[str] = field(default_factory=list)

    def add(self, case: str, times: int = 1) -> None:
        """Count a case, and keep it if it is among the first."""
        self.count += times
        if len(self.first_cases) < _MOST_KEPT:
            self.first_cases.append(case)
