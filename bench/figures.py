"""From the timings of the rounds to figures: medians, spread, ratios and percentiles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import TypeVar

K = TypeVar("K")

RATIO_TARGETS = {
    ("stats", "scan"): 0.60,
    ("archive", "scan"): 0.40,
    ("both", "published"): 5.0,
    ("both", "plain_python"): 1.2,
    ("both", "duckdb"): 0.5,
}
"""How many times as fast as the second contender the first should at least be."""


@dataclass(frozen=True)
class Timing:
    """One run of a contender."""

    seconds: float
    messages: int
    peak_mib: float
    cpu_s: float

    @property
    def rate(self) -> float:
        """Messages per second."""
        return self.messages / self.seconds


@dataclass
class Runs:
    """The timed runs of a contender, and all errors in its output, of warm-up runs too."""

    timings: list[Timing] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, object]:
        """Return medians over the rounds, with the slowest and the fastest round."""
        rates = [timing.rate for timing in self.timings]
        return {
            "msg_s": round(median(rates)),
            "msg_s_spread": [round(min(rates)), round(max(rates))],
            "counts_ok": not self.errors,
            "peak_mib": round(max(timing.peak_mib for timing in self.timings)),
            "cpu_s_per_million": round(median(t.cpu_s / t.messages for t in self.timings) * 1e6, 1),
            **({"wrong": self.errors} if self.errors else {}),
        }


def ratio_name(over: str, under: str) -> str:
    """Return the key of a ratio in the results."""
    return f"{over}/{under}"


def ratios(runs: Mapping[str, Runs]) -> dict[str, float]:
    """Return the ratios of ``RATIO_TARGETS`` whose two contenders have run.

    A ratio is the median of the rounds' own ratios. Both runs of a round are close in time, so
    other load on the machine affects both.
    """
    found = {}
    for over, under in RATIO_TARGETS:
        if over in runs and under in runs:
            pairs = zip(runs[over].timings, runs[under].timings, strict=True)
            found[ratio_name(over, under)] = round(median(a.rate / b.rate for a, b in pairs), 2)
    return found


def percentiles(values: Sequence[float]) -> dict[str, float]:
    """Return p50, p95 and p99 in seconds; each is one of the values (nearest rank)."""
    if not values:
        raise ValueError("There are no values to take percentiles of.")
    ordered = sorted(values)
    return {
        f"p{share}_s": round(ordered[-(-share * len(ordered) // 100) - 1], 4)
        for share in (50, 95, 99)
    }


def differences(expected: Mapping[K, int], found: Mapping[K, int]) -> str | None:
    """Describe how counts differ; None if they are equal. No expected counts is a difference."""
    if not expected:
        return "there is nothing to count"
    wrong = [key for key in expected.keys() | found.keys() if expected.get(key) != found.get(key)]
    if not wrong:
        return None
    first = min(wrong, key=str)
    return (
        f"{len(wrong):,} of {len(expected):,} counts differ, such as {first}: "
        f"expected {expected.get(first)}, found {found.get(first)}"
    )
