"""Size, history and past versions of the lake's tables."""

import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from deltalake import DeltaTable

from contract.delta_commits import compactions, version_at
from contract.errors import UserError
from dashboard.data.lake.table_version import read_version
from dashboard.data.lake.tables import read_lake
from tests.sample.lake import append_cameras, append_quarantine, camera, rejected


def test_a_table_has_its_version_size_and_commits(tmp_path: Path):
    append_cameras(tmp_path, camera("a", 0), camera("b", 0))
    append_cameras(tmp_path, camera("a", 1))
    lake = read_lake(str(tmp_path))
    table = next(lake).tables["camera"]
    assert (table.size.version, table.size.rows, table.size.files) == (1, 3, 2)
    assert table.size.total_bytes > table.size.median_file_bytes > 0
    assert [(c.version, c.operation, c.rows) for c in table.commits.values()] == [
        (1, "WRITE", 1),
        (0, "WRITE", 2),
    ]
    append_cameras(tmp_path, camera("a", 2))
    assert list(next(lake).tables["camera"].commits) == [2, 1, 0]


def test_a_compaction_has_the_files_and_bytes_before_and_after(tmp_path: Path):
    for minute in range(4):
        append_cameras(tmp_path, camera("a", minute))
    lake = read_lake(str(tmp_path))
    assert compactions(next(lake).tables["camera"].commits) == []
    DeltaTable(tmp_path / "camera").optimize.compact()
    (commit,) = compactions(next(lake).tables["camera"].commits)
    assert (commit.files_removed, commit.files_added) == (4, 1)
    assert commit.bytes_removed > commit.bytes_added > 0


def test_a_recreated_table_is_read_from_its_start(tmp_path: Path):
    for minute in range(3):
        append_cameras(tmp_path, camera("a", minute))
        append_quarantine(tmp_path, rejected("malformed", minute))
    lake = read_lake(str(tmp_path))
    assert next(lake).quarantine.reasons == {"malformed": 3}
    for name in ("camera", "quarantine"):
        shutil.rmtree(tmp_path / name)
    for minute in range(3):
        append_cameras(tmp_path, camera("b", minute))
        append_quarantine(tmp_path, rejected("future", minute))
    view = next(lake)
    assert view.quarantine.reasons == {"future": 3}
    assert view.tables["camera"].size.rows == 3
    assert list(view.tables["camera"].commits) == [2, 1, 0]


def test_a_damaged_old_commit_leaves_a_table_without_its_history(tmp_path: Path):
    for minute in range(3):
        append_cameras(tmp_path, camera("a", minute))
    DeltaTable(tmp_path / "camera").create_checkpoint()
    torn = tmp_path / "camera" / "_delta_log" / f"{1:020}.json"
    whole = torn.read_text()
    torn.write_text(whole[:60])
    lake = read_lake(str(tmp_path))
    table = next(lake).tables["camera"]
    assert (table.size.rows, table.commits) == (3, {})
    assert "Invalid JSON" in (table.history_problem or "")
    torn.write_text(whole)
    append_cameras(tmp_path, camera("a", 3))
    table = next(lake).tables["camera"]
    assert (list(table.commits), table.history_problem) == ([3, 2, 1, 0], None)


def test_a_lake_without_tables_is_an_error_for_people(tmp_path: Path):
    with pytest.raises(UserError, match="There is no table yet"):
        next(read_lake(str(tmp_path)))


def test_a_table_can_be_read_as_of_a_version(tmp_path: Path):
    append_cameras(tmp_path, camera("a", 0))
    append_cameras(tmp_path, camera("a", 1), camera("b", 1))
    past = read_version(str(tmp_path), "camera", 0)
    assert (past.size.rows, past.rows["device_id"].tolist()) == (1, ["a"])
    with pytest.raises(UserError, match="cannot be read"):
        read_version(str(tmp_path), "camera", 7)


def test_the_version_at_a_time_is_the_newest_one_until_then(tmp_path: Path):
    append_cameras(tmp_path, camera("a", 0))
    append_cameras(tmp_path, camera("a", 1))
    commits = next(read_lake(str(tmp_path))).tables["camera"].commits
    assert version_at(commits, commits[0].time) in (0, 1)
    assert version_at(commits, commits[1].time) == 1
    assert version_at(commits, commits[0].time - timedelta(seconds=1)) is None
