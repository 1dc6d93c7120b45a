"""How new results are merged into the kept ones."""

import json

from bench.reporting.results import merge, save

MACHINE = {"processor": "One", "cores": 2}


def test_parts_that_were_not_measured_stay_from_the_run_before() -> None:
    before = {"machine": MACHINE, "producer": {"msg_s": 1}, "ratios": {"both/duckdb": 0.1}}
    measured = {"machine": MACHINE, "ratios": {"both/duckdb": 0.5}}

    assert merge(before, measured) == {
        "machine": MACHINE,
        "producer": {"msg_s": 1},
        "ratios": {"both/duckdb": 0.5},
    }


def test_figures_of_two_machines_are_never_mixed() -> None:
    before = {"machine": MACHINE, "producer": {"msg_s": 1}}
    measured = {"machine": {**MACHINE, "cores": 64}, "ratios": {}}

    assert merge(before, measured) == measured


def test_the_first_results_are_kept_as_they_are(tmp_path) -> None:
    latest = tmp_path / "results" / "latest.json"
    measured = {"machine": MACHINE, "producer": {"msg_s": 1}}

    assert save(measured, latest) == measured
    assert json.loads(latest.read_text()) == measured
