"""Which targets the results meet, and which they miss."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from bench.figures import RATIO_TARGETS, ratio_name
from bench.reporting.results import Results

_AT_MOST: dict[str, tuple[float, tuple[str, ...]]] = {
    "cores that the demo takes at its default rate": (0.12, ("idle", "cores", "all")),
    "p50 of its counts, s": (2.0, ("idle", "counted_after", "p50_s")),
    "p50 of the counts at 500 messages/s, s": (1.0, ("freshness", "500", "p50_s")),
    "p99 of the counts at 500 messages/s, s": (2.0, ("freshness", "500", "p99_s")),
    "p50 in `nest-sightings` at 500 messages/s, s": (0.01, ("freshness", "500", "sighting_p50_s")),
    "p99 in `nest-sightings` at 500 messages/s, s": (0.1, ("freshness", "500", "sighting_p99_s")),
}
"""The largest values that are wanted, and where each is in the results."""


@dataclass(frozen=True)
class TargetResult:
    """A target beside what was measured."""

    what: str
    measured: str
    target: str
    is_met: bool | None
    """None if it was not measured."""

    @property
    def verdict(self) -> str:
        """Return ``met``, ``missed`` or ``not measured``."""
        if self.is_met is None:
            return "not measured"
        return "met" if self.is_met else "missed"


def target_results(results: Results) -> list[TargetResult]:
    """Compare the results with all targets: right results, ratios of speed, largest values."""
    contenders = results.get("contenders", {}).values()
    live_runs = results.get("freshness", {}).values()
    ratios = results.get("ratios", {})
    return [
        _all_hold("contenders whose results are right", (c["counts_ok"] for c in contenders)),
        _all_hold("live runs that `nest check` confirms", (r["check_holds"] for r in live_runs)),
        *(
            _at_least(over, under, least, ratios.get(ratio_name(over, under)))
            for (over, under), least in RATIO_TARGETS.items()
        ),
        *(
            _at_most(what, most, _value_at(results, path))
            for what, (most, path) in _AT_MOST.items()
        ),
    ]


def _all_hold(what: str, claims: Iterable[bool]) -> TargetResult:
    held = list(claims)
    if not held:
        return TargetResult(what, "", "all", None)
    return TargetResult(what, f"{sum(held)} of {len(held)}", "all", all(held))


def _at_least(over: str, under: str, least: float, measured: float | None) -> TargetResult:
    what, target = f"speed of `{over}` relative to `{under}`", f"at least {least:.2f}"
    if measured is None:
        return TargetResult(what, "", target, None)
    return TargetResult(what, f"{measured:.2f}", target, measured >= least)


def _at_most(what: str, most: float, measured: float | None) -> TargetResult:
    target = f"at most {most:g}"
    if measured is None:
        return TargetResult(what, "", target, None)
    return TargetResult(what, f"{measured:.3g}", target, measured <= most)


def _value_at(results: Results, path: tuple[str, ...]) -> float | None:
    """Return a value of the results; None if its part was not measured."""
    value: Any = results
    for name in path:
        value = value.get(name) if value else None
    return None if value is None else float(value)
