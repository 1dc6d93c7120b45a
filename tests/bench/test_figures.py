"""What the benchmark makes of timings and counts; no timing is asserted."""

import json

import pytest

from bench.figures import Runs, Timing, differences, percentiles, ratios
from bench.results import as_markdown, fill_page, merge, save

MACHINE = {
    "processor": "One",
    "cores": 2,
    "memory_gib": 8.0,
    "python": "3.11.7",
    "java": "openjdk 17",
}
MOMENT = {"at": "2026-11-20T10:00:00+00:00", "load": [0.5, 0.4, 0.3]}


def ran(*seconds: float, wrong: str | None = None) -> Runs:
    timings = [Timing(each, messages=1000, peak_mib=100 + each, cpu_s=2.0) for each in seconds]
    return Runs(timings, [wrong] if wrong else [])


def test_a_contender_is_the_median_of_its_rounds_with_their_spread() -> None:
    assert ran(1.0, 4.0, 2.0).as_json() == {
        "msg_s": 500,
        "msg_s_spread": [250, 1000],
        "counts_ok": True,
        "peak_mib": 104,
        "cpu_s_per_million": 2000.0,
    }


def test_a_contender_that_was_wrong_once_is_listed_as_wrong() -> None:
    found = ran(1.0, wrong="3 of 9 counts differ").as_json()

    assert found["counts_ok"] is False
    assert found["wrong"] == ["3 of 9 counts differ"]


def test_a_ratio_is_the_median_of_the_rounds_own_ratios() -> None:
    # The machine was ten times as slow in the second round, for both.
    contenders = {"both": ran(1.0, 10.0, 1.0), "plain_python": ran(2.0, 20.0, 3.0)}

    assert ratios(contenders) == {"both/plain_python": 2.0}


def test_counts_that_differ_are_named_and_no_counts_prove_nothing() -> None:
    key = ("94304", 0, 3600)

    assert differences({key: 5}, {key: 5}) is None
    assert "expected 5, found 6" in str(differences({key: 5}, {key: 6}))
    assert "found None" in str(differences({key: 5}, {}))
    assert "expected None" in str(differences({key: 5}, {key: 5, ("95113", 0, 3600): 1}))
    assert differences({}, {}) == "there is nothing to count"


def test_percentiles_are_values_that_were_measured() -> None:
    assert percentiles([0.1 * n for n in range(1, 101)]) == {
        "p50_s": 5.0,
        "p95_s": 9.5,
        "p99_s": 9.9,
    }
    assert percentiles([0.7]) == {"p50_s": 0.7, "p95_s": 0.7, "p99_s": 0.7}
    with pytest.raises(ValueError, match="no values"):
        percentiles([])


def test_figures_of_two_machines_are_never_mixed() -> None:
    before = {"machine": MACHINE, "producer": {"msg_s": 1}}
    here = {"machine": MACHINE, "ratios": {}}
    elsewhere = {"machine": {**MACHINE, "cores": 64}, "ratios": {}}

    assert merge(before, here)["producer"] == {"msg_s": 1}
    assert "producer" not in merge(before, elsewhere)
    assert merge({}, here) == here


def test_the_page_shows_the_figures_that_were_kept(tmp_path) -> None:
    page, latest = tmp_path / "performance.md", tmp_path / "latest.json"
    page.write_text(
        "Before.\n<!-- figures: written by python -m bench -->\nold\n"
        "<!-- end of figures -->\nAfter.\n"
    )
    measured = {
        "machine": MACHINE,
        "contenders": {"both": ran(1.0).as_json()},
        "ratios": {"both/published": 6.5},
        "contenders_run": {
            "messages": 1000,
            "message_bytes": 4000,
            "rounds": 1,
            "before": MOMENT,
            "after": MOMENT,
        },
        "producer": {
            "msg_s": 20_000,
            "mb_s": 80.5,
            "without_crc32c": 1_500,
            "pure_faker": 120,
        },
        "freshness": {
            "500": {
                "p50_s": 0.5,
                "p95_s": 1.0,
                "p99_s": 1.5,
                "msg_s": 498,
                "cores": 0.8,
                "peak_mib": 900,
            }
        },
    }

    fill_page(save(measured, latest), page)
    text = page.read_text()

    assert json.loads(latest.read_text()) == measured
    assert text.startswith("Before.\n")
    assert text.endswith("<!-- end of figures -->\nAfter.\n")
    assert "old" not in text
    assert "| both | 1,000 | 1,000 to 1,000 | 101 | 2000 | yes |" in text
    assert "| both/published | 6.50 | at least 5 |" in text
    assert "Producer: 20,000 messages/s, 80.5 MB/s; without crc32c 1,500, with every" in text
    assert "| 500 | 0.50 | 1.00 | 1.50 | 498 | 0.8 | 900 |" in text
    assert as_markdown({"machine": MACHINE}).startswith("One, 2 cores")
