"""From the rounds' timings to figures: medians, spread and ratios."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import TypeVar

K = TypeVar("K")

RATIOS = (
    ("stats", "scan"),
    ("archive", "scan"),
    ("both", "published"),
    ("both", "by_hand"),
    ("both", "vectorised"),
)
"""What is held against what: how many times as fast the first is as the second."""


@dataclass(frozen=True)
class Timing:
    """One run of a contender."""

    name: str
    seconds: float
    messages: int
    peak_mib: float
    cpu_s: float

    @property
    def rate(self) -> float:
        """Messages a second."""
        return self.messages / self.seconds


@dataclass
class Contender:
    """All runs of a contender, and everything that was found wrong in what they left."""

    timings: list[Timing] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, object]:
        """Return medians over the rounds, with the slowest and fastest round."""
        rates = [timing.rate for timing in self.timings]
        return {
            "msg_s": round(median(rates)),
            "msg_s_spread": [round(min(rates)), round(max(rates))],
            "counts_ok": not self.wrong,
            "peak_mib": round(max(timing.peak_mib for timing in self.timings)),
            "cpu_s_per_million": round(median(t.cpu_s / t.messages for t in self.timings) * 1e6, 1),
            **({"wrong": self.wrong} if self.wrong else {}),
        }


def ratios(contenders: Mapping[str, Contender]) -> dict[str, float]:
    """Return the median over the rounds of each ratio whose two sides have run.

    A round's two runs follow each other closely, so what else the machine did then hits both.
    """
    found = {}
    for over, under in RATIOS:
        if over in contenders and under in contenders:
            both = zip(contenders[over].timings, contenders[under].timings, strict=True)
            found[f"{over}/{under}"] = round(median(a.rate / b.rate for a, b in both), 2)
    return found


def percentiles(values: Sequence[float]) -> dict[str, float]:
    """Return p50, p95 and p99 in seconds: of the sorted values the nearest one."""
    if not values:
        raise ValueError("percentiles of nothing")
    ordered = sorted(values)
    return {
        f"p{share}_s": round(ordered[-(-share * len(ordered) // 100) - 1], 3)
        for share in (50, 95, 99)
    }


def differences(expected: Mapping[K, int], found: Mapping[K, int]) -> str | None:
    """Say how counts differ, None if they do not; counting nothing is a difference too."""
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
