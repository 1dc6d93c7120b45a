"""The generated part of the page about performance."""

from pathlib import Path

from bench.reporting.page import fill_page

MACHINE = {
    "processor": "One",
    "cores": 2,
    "memory_gib": 8.0,
    "python": "3.11.7",
    "java": "openjdk 17",
}
CONTENDERS_RUN = {
    "messages": 1000,
    "message_bytes": 4000,
    "rounds": 3,
    "before": {"at": "2026-11-20T09:30:00+00:00", "load": [0.5, 0.4, 0.3]},
    "after": {"at": "2026-11-20T10:00:00+00:00", "load": [1.5, 1.0, 0.5]},
}
PAGE = """\
Before.
<!-- figures: written by python -m bench -->
old
<!-- end of figures -->
After.
"""


def contender(counts_ok: bool = True) -> dict:
    return {
        "msg_s": 1000,
        "msg_s_spread": [900, 1100],
        "counts_ok": counts_ok,
        "peak_mib": 101,
        "cpu_s_per_million": 2000.0,
    }


def filled_page(folder: Path, results: dict) -> str:
    page = folder / "performance.md"
    page.write_text(PAGE)
    fill_page(results, page)
    return page.read_text()


def test_the_figures_replace_what_is_between_the_markers(tmp_path) -> None:
    text = filled_page(tmp_path, {"machine": MACHINE})

    assert text.startswith("Before.\n<!-- figures")
    assert text.endswith("<!-- end of figures -->\nAfter.\n")
    assert "old" not in text
    assert "Measured on One, 2 cores, 8.0 GiB of memory" in text


def test_a_peer_shows_its_cold_start_and_what_a_kill_does_to_its_results(tmp_path) -> None:
    peer = contender() | {"cold_s": 21.5, "killed_at": 0.5, "after_kill": "doubles 10 rows"}
    results = {"machine": MACHINE, "peers": CONTENDERS_RUN | {"contenders": {"flink": peer}}}

    text = filled_page(tmp_path, results)

    assert "| `flink` | 1,000 | 900 to 1,100 | 101 | 2000 | yes | 21.5 | doubles 10 rows |" in text


def test_the_targets_come_first_with_what_is_met_and_what_is_missed(tmp_path) -> None:
    results = {
        "machine": MACHINE,
        "contenders": {"published": contender(), "both": contender()},
        "ratios": {"both/published": 6.5, "both/duckdb": 0.4},
        "contenders_run": CONTENDERS_RUN,
    }

    text = filled_page(tmp_path, results)

    assert "2 of 13 targets are met." in text
    assert "| contenders whose results are right | 2 of 2 | all | met |" in text
    assert "| speed of `both` relative to `published` | 6.50 | at least 5.00 | met |" in text
    assert "| speed of `both` relative to `duckdb` | 0.40 | at least 0.50 | **missed** |" in text
    assert "| speed of `stats` relative to `scan` |  | at least 0.60 | not measured |" in text
    assert text.index("targets are met") < text.index("### Contenders")
    assert "| `both` | 1,000 | 900 to 1,100 | 101 | 2000 | yes |" in text
    assert "The load average was 0.5 before the run and 1.5 after it." in text


def test_a_contender_with_wrong_results_is_marked(tmp_path) -> None:
    results = {
        "machine": MACHINE,
        "contenders": {"duckdb": contender(counts_ok=False)},
        "contenders_run": CONTENDERS_RUN,
    }

    text = filled_page(tmp_path, results)

    assert "| contenders whose results are right | 0 of 1 | all | **missed** |" in text
    assert "| `duckdb` | 1,000 | 900 to 1,100 | 101 | 2000 | **WRONG** |" in text


def test_producer_freshness_idle_and_growth_are_tables(tmp_path) -> None:
    results = {
        "machine": MACHINE,
        "producer": {"msg_s": 20_000, "mb_s": 80.5, "without_crc32c": 1_500, "pure_faker": 120},
        "freshness": {
            "500": {
                "p50_s": 0.5,
                "p95_s": 1.0,
                "p99_s": 1.5,
                "sighting_p50_s": 0.0024,
                "sighting_p99_s": 0.09,
                "msg_s": 498,
                "cores": 0.8,
                "peak_mib": 900,
                "check_holds": True,
            }
        },
        "idle": {
            "minutes_before": 10.0,
            "cores": {"Kafka": 0.035, "Pipeline": 0.425, "all": 0.46},
            "memory_mib": {"Kafka": 358, "Pipeline": 2713},
            "counted_after": {"p50_s": 1.89, "p95_s": 3.26, "p99_s": 3.38},
            "at": "2026-11-24T00:40:19+00:00",
        },
        "growth": {
            "messages": {"1000": 200.0, "10000": 100.0},
            "devices": {"1000": 40.0},
            "keys": {"1000": 0.125},
        },
    }

    text = filled_page(tmp_path, results)

    assert "| `nest produce` | 20,000 | 80.5 |" in text
    assert "| Faker for every field | 120 |  |" in text
    assert "| 500 | 498 | 0.50 | 1.00 | 1.50 | 2.4 | 90.0 | 0.8 | 900 |" in text
    assert "10 minutes after the first report, 2026-11-24." in text
    assert "keep 0.46 cores busy. A sighting is counted after 1.89 s (p50) and 3.38 s" in text
    assert "| Pipeline | 0.425 | 2,713 |" in text
    assert "| 10,000 messages | 100 µs of CPU time per message, `both` | 0.50 |" in text
    assert "| 1,000 counts | 0.125 s to read all counts | 1.00 |" in text
