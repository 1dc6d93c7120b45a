"""How timings become figures and how counts are compared; no timing is asserted."""

import pytest

from bench.figures import Runs, Timing, differences, percentiles, ratios


def runs_of(*seconds: float, errors: list[str] | None = None) -> Runs:
    timings = [Timing(each, messages=1000, peak_mib=100 + each, cpu_s=2.0) for each in seconds]
    return Runs(timings, errors or [])


def test_a_contender_has_the_median_of_its_rounds_and_their_spread() -> None:
    assert runs_of(1.0, 4.0, 2.0).as_json() == {
        "msg_s": 500,
        "msg_s_spread": [250, 1000],
        "counts_ok": True,
        "peak_mib": 104,
        "cpu_s_per_million": 2000.0,
    }


def test_a_contender_with_one_wrong_run_is_wrong() -> None:
    found = runs_of(1.0, errors=["3 of 9 counts differ"]).as_json()

    assert found["counts_ok"] is False
    assert found["wrong"] == ["3 of 9 counts differ"]


def test_a_ratio_is_the_median_of_the_ratios_of_the_rounds() -> None:
    # In the second round the machine was ten times as slow for both.
    runs = {"both": runs_of(1.0, 10.0, 1.0), "plain_python": runs_of(2.0, 20.0, 3.0)}

    assert ratios(runs) == {"both/plain_python": 2.0}


def test_a_difference_names_a_count_with_its_expected_and_its_found_value() -> None:
    key = ("94304", 0, 3600)

    assert differences({key: 5}, {key: 5}) is None
    assert "expected 5, found 6" in str(differences({key: 5}, {key: 6}))
    assert "found None" in str(differences({key: 5}, {}))
    assert "expected None" in str(differences({key: 5}, {key: 5, ("95113", 0, 3600): 1}))


def test_no_counts_at_all_are_a_difference() -> None:
    assert differences({}, {}) == "there is nothing to count"


def test_percentiles_are_values_that_were_measured() -> None:
    assert percentiles([0.1 * n for n in range(1, 101)]) == {
        "p50_s": 5.0,
        "p95_s": 9.5,
        "p99_s": 9.9,
    }
    assert percentiles([0.7]) == {"p50_s": 0.7, "p95_s": 0.7, "p99_s": 0.7}


def test_percentiles_of_no_values_are_an_error() -> None:
    with pytest.raises(ValueError, match="no values"):
        percentiles([])
