"""Reasons and samples of the quarantine."""

from pathlib import Path

import pyarrow as pa

from dashboard.data.lake.quarantine import MAX_SAMPLES, read_quarantine
from tests.sample.lake import append_quarantine, rejected


def test_the_quarantine_has_records_by_reason_and_the_newest_samples(tmp_path: Path):
    rows = [rejected("malformed", minute, raw=f"{{{minute}") for minute in range(5)]
    append_quarantine(tmp_path, *rows, rejected("future", 2, detail="camera x"))
    quarantine = read_quarantine(str(tmp_path))
    view = next(quarantine)
    assert view.reasons == {"malformed": 5, "future": 1}
    assert [sample.raw for sample in view.samples["malformed"]] == ["{4", "{3", "{2"]
    assert len(view.samples["malformed"]) == MAX_SAMPLES
    append_quarantine(tmp_path, rejected("malformed", 9, raw=None))
    view = next(quarantine)
    assert view.reasons == {"malformed": 6, "future": 1}
    assert view.samples["malformed"][0].raw is None
    assert view.samples["future"][0].detail == "camera x"


def test_the_reason_with_most_records_comes_first_in_figures_and_samples(tmp_path: Path):
    append_quarantine(tmp_path, rejected("malformed", 0), rejected("future", 1))
    quarantine = read_quarantine(str(tmp_path))
    next(quarantine)
    append_quarantine(tmp_path, rejected("future", 2))
    view = next(quarantine)
    assert list(view.reasons) == list(view.samples) == ["future", "malformed"]


def test_a_sample_is_cut_off_and_has_no_credential(tmp_path: Path):
    token = "c.verysecret"
    raw = f'{{"access_token":"{token}","x":"' + "y" * 9999
    append_quarantine(tmp_path, rejected("malformed", 0, raw=raw))
    (sample,) = next(read_quarantine(str(tmp_path))).samples["malformed"]
    assert token not in sample.raw
    assert len(sample.raw) < 5000 < sample.length


def test_a_lake_without_the_table_has_an_empty_quarantine(tmp_path: Path):
    assert next(read_quarantine(str(tmp_path))).reasons == {}


def test_the_text_of_records_that_are_no_samples_is_not_read(tmp_path: Path):
    for hour in range(6):
        minutes = range(60 * hour, 60 * hour + 10)
        append_quarantine(tmp_path, *(rejected("malformed", m, raw="y" * 500_000) for m in minutes))
    quarantine, pool = read_quarantine(str(tmp_path)), pa.default_memory_pool()
    counting = pa.proxy_memory_pool(pool)
    pa.set_memory_pool(counting)
    try:
        view = next(quarantine)
    finally:
        pa.set_memory_pool(pool)
    assert [sample.length for sample in view.samples["malformed"]] == [500_000] * 3
    assert counting.max_memory() < 20_000_000, "all texts have 30 MB"
