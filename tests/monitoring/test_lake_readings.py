"""The size of the tables and the reasons of the quarantine, as the lake changes."""

import shutil
from pathlib import Path

import pytest

from contract.errors import UserError
from monitoring.lake_readings import read_lake
from monitoring.quarantine_reasons import QuarantineReasons
from tests.sample.lake import append_cameras, append_quarantine, camera, rejected


@pytest.fixture(autouse=True)
def _no_pacing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("monitoring.quarantine_reasons._SHARE", 1e9)


def test_a_lake_is_read_before_and_after_there_are_tables(tmp_path: Path) -> None:
    readings = read_lake(str(tmp_path))
    assert next(readings).tables == {}
    append_cameras(tmp_path, camera("a", 1), camera("b", 2))
    append_cameras(tmp_path, camera("a", 3))
    append_quarantine(tmp_path, rejected("malformed", 1), rejected("field", 2))
    found = next(readings)
    files = [file.stat().st_size for file in (tmp_path / "camera").glob("*.parquet")]
    size = found.tables["camera"]
    assert (size.version, size.files, size.rows, size.total_bytes) == (1, 2, 3, sum(files))
    assert found.quarantine == {"malformed": 1, "field": 1, "camera": 0, "future": 0}
    append_quarantine(tmp_path, rejected("malformed", 3), rejected("something new", 4))
    counted = {"malformed": 2, "field": 1, "camera": 0, "future": 0, "something new": 1}
    assert next(readings).quarantine == counted


def test_a_table_in_the_place_of_another_is_noticed(tmp_path: Path) -> None:
    readings = read_lake(str(tmp_path))
    append_quarantine(tmp_path, rejected("malformed", 1))
    assert next(readings).quarantine["malformed"] == 1
    shutil.rmtree(tmp_path / "quarantine")
    assert next(readings).quarantine == {}
    append_quarantine(tmp_path, rejected("field", 1))
    assert next(readings).quarantine["malformed"] == 0


def test_a_damaged_table_is_named(tmp_path: Path) -> None:
    append_cameras(tmp_path, camera("a", 1))
    next((tmp_path / "camera" / "_delta_log").glob("*.json")).write_text("{")
    with pytest.raises(UserError, match="The table camera cannot be read"):
        next(read_lake(str(tmp_path)))


def test_a_data_file_that_is_gone_is_named_with_its_table(tmp_path: Path) -> None:
    append_quarantine(tmp_path, rejected("malformed", 1))
    next((tmp_path / "quarantine").glob("*.parquet")).unlink()
    with pytest.raises(UserError, match="The table quarantine cannot be read"):
        next(read_lake(str(tmp_path)))


def test_counting_the_reasons_takes_its_share_of_the_time_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from deltalake import DeltaTable

    monkeypatch.setattr("monitoring.quarantine_reasons._SHARE", 1e-9)
    append_quarantine(tmp_path, rejected("malformed", 1))
    reasons = QuarantineReasons()
    reasons.refresh(DeltaTable(tmp_path / "quarantine"))
    append_quarantine(tmp_path, rejected("malformed", 2))
    reasons.refresh(DeltaTable(tmp_path / "quarantine"))
    assert reasons.rows["malformed"] == 1, "the next count has to wait"
