"""Which targets count as met."""

import pytest

from bench.figures import RATIO_TARGETS
from bench.reporting.targets import target_results


def verdicts(results: dict) -> dict[str, str]:
    return {result.what: result.verdict for result in target_results(results)}


@pytest.mark.parametrize(("measured", "verdict"), [(0.6, "met"), (0.59, "missed")])
def test_a_ratio_meets_its_target_from_the_target_on(measured: float, verdict: str) -> None:
    results = {"ratios": {"stats/scan": measured}}

    assert RATIO_TARGETS["stats", "scan"] == 0.6
    assert verdicts(results)["speed of `stats` relative to `scan`"] == verdict


@pytest.mark.parametrize(("cores", "verdict"), [(0.12, "met"), (0.13, "missed")])
def test_a_largest_value_is_met_up_to_it(cores: float, verdict: str) -> None:
    results = {"idle": {"cores": {"all": cores}}}

    found = verdicts(results)
    assert found["cores that the demo takes at its default rate"] == verdict
    assert found["p50 of its counts, s"] == "not measured"


def test_one_wrong_contender_misses_the_target_of_right_results() -> None:
    right, wrong = {"counts_ok": True}, {"counts_ok": False}
    what = "contenders whose results are right"

    assert verdicts({"contenders": {"both": right, "duckdb": right}})[what] == "met"
    assert verdicts({"contenders": {"both": right, "duckdb": wrong}})[what] == "missed"


def test_one_live_run_that_fails_the_check_misses_the_target() -> None:
    holds, fails = {"check_holds": True}, {"check_holds": False}
    what = "live runs that `nest check` confirms"

    assert verdicts({"freshness": {"100": holds, "500": holds}})[what] == "met"
    assert verdicts({"freshness": {"100": holds, "500": fails}})[what] == "missed"


def test_nothing_is_met_before_it_is_measured() -> None:
    assert set(verdicts({}).values()) == {"not measured"}
