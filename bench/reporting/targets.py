"""Which targets the results meet, and which they miss."""

from collections.abc import Iterable
from dataclasses import dataclass

from bench.figures import RATIO_TARGETS, ratio_name
from bench.reporting.results import Results


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
    """Compare the results with all targets: right results first, then the ratios of speed."""
    contenders = results.get("contenders", {}).values()
    live_runs = results.get("freshness", {}).values()
    return [
        _all_hold("contenders whose results are right", (c["counts_ok"] for c in contenders)),
        _all_hold("live runs that `nest check` confirms", (r["check_holds"] for r in live_runs)),
        *(
            _ratio(over, under, least, results.get("ratios", {}).get(ratio_name(over, under)))
            for (over, under), least in RATIO_TARGETS.items()
        ),
    ]


def _all_hold(what: str, claims: Iterable[bool]) -> TargetResult:
    held = list(claims)
    if not held:
        return TargetResult(what, "", "all", None)
    return TargetResult(what, f"{sum(held)} of {len(held)}", "all", all(held))


def _ratio(over: str, under: str, least: float, measured: float | None) -> TargetResult:
    what, target = f"speed of `{over}` relative to `{under}`", f"at least {least:.2f}"
    if measured is None:
        return TargetResult(what, "", target, None)
    return TargetResult(what, f"{measured:.2f}", target, measured >= least)
