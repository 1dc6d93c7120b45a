"""Which cameras are online and offline, as of one refresh after another."""

import shutil
from pathlib import Path

import pytest
from deltalake import DeltaTable

from contract.errors import UserError
from dashboard.data.lake.cameras import CamerasView, read_cameras
from tests.dashboard.sample_lake import after_noon, append_cameras, camera


def offline(view: CamerasView) -> list[str]:
    return view.offline["device_id"].tolist()


def device_ids(view: CamerasView) -> list[str]:
    return view.rows["device_id"].tolist()


def remove_data_files(table: Path) -> None:
    for file in table.glob("*.parquet"):
        file.unlink()


def test_a_cameras_state_is_that_of_its_newest_message(tmp_path: Path):
    append_cameras(
        tmp_path, camera("a", 0), camera("b", 0, online=False), camera("c", 1, online=False)
    )
    append_cameras(tmp_path, camera("b", 5), camera("a", 4, online=False), camera("a", 3))
    view = next(read_cameras(str(tmp_path)))
    assert offline(view) == ["a", "c"]
    assert (view.online, len(view.rows)) == (1, 3)
    assert view.newest == after_noon(5)


def test_of_two_messages_with_one_timestamp_the_higher_offset_counts(tmp_path: Path):
    append_cameras(tmp_path, camera("a", 0, offset=8, online=False), camera("a", 0, offset=7))
    assert offline(next(read_cameras(str(tmp_path)))) == ["a"]


def test_a_refresh_opens_only_new_files(tmp_path: Path):
    append_cameras(tmp_path, camera("a", 0), camera("b", 0))
    cameras = read_cameras(str(tmp_path))
    first = next(cameras)
    assert (first.files_read, first.files) == (1, 1)
    append_cameras(tmp_path, camera("a", 1, online=False))
    second = next(cameras)
    assert (second.files_read, second.files) == (1, 2)
    assert offline(second) == ["a"]


def test_a_refresh_without_a_new_version_opens_no_file(tmp_path: Path):
    append_cameras(tmp_path, camera("a", 0, online=False))
    cameras = read_cameras(str(tmp_path))
    assert offline(next(cameras)) == ["a"]
    remove_data_files(tmp_path / "camera")
    assert offline(next(cameras)) == ["a"]


def test_files_older_than_a_day_are_not_opened(tmp_path: Path):
    day = 24 * 60
    append_cameras(tmp_path, camera("removed", 0))
    append_cameras(tmp_path, camera("a", day + 60))
    view = next(read_cameras(str(tmp_path)))
    assert (view.files_read, view.files) == (1, 2)
    assert device_ids(view) == ["a"]
    cameras = read_cameras(str(tmp_path))
    next(cameras)
    append_cameras(tmp_path, camera("b", 3 * day))
    assert device_ids(next(cameras)) == ["b"]


def test_a_file_older_than_a_day_is_forgotten_and_its_removal_reads_nothing_again(tmp_path: Path):
    append_cameras(tmp_path, camera("old", 0))
    cameras = read_cameras(str(tmp_path))
    assert device_ids(next(cameras)) == ["old"]
    append_cameras(tmp_path, camera("new", 3 * 24 * 60))
    assert next(cameras).files_read == 1
    DeltaTable(tmp_path / "camera").delete("device_id = 'old'")
    view = next(cameras)
    assert (device_ids(view), view.files_read, view.files) == (["new"], 0, 1)


def test_deleted_rows_are_not_shown(tmp_path: Path):
    append_cameras(tmp_path, camera("a", 0), camera("b", 0))
    append_cameras(tmp_path, camera("a", 1))
    cameras = read_cameras(str(tmp_path))
    assert len(next(cameras).rows) == 2
    DeltaTable(tmp_path / "camera").delete("device_id = 'a'")
    assert device_ids(next(cameras)) == ["b"]


def test_compaction_changes_no_state(tmp_path: Path):
    for minute in range(4):
        append_cameras(tmp_path, camera("a", minute, online=minute % 2 == 0), camera("b", minute))
    cameras = read_cameras(str(tmp_path))
    before = next(cameras)
    DeltaTable(tmp_path / "camera").optimize.compact()
    after = next(cameras)
    assert offline(after) == offline(before) == ["a"]
    assert (before.files, after.files) == (4, 1)


def test_a_recreated_table_is_read_from_its_start(tmp_path: Path):
    for minute in range(3):
        append_cameras(tmp_path, camera("a", minute))
    cameras = read_cameras(str(tmp_path))
    assert device_ids(next(cameras)) == ["a"]
    shutil.rmtree(tmp_path / "camera")
    for minute in range(3):
        append_cameras(tmp_path, camera("b", minute))
    assert device_ids(next(cameras)) == ["b"]


def test_an_empty_archive_has_no_cameras(tmp_path: Path):
    append_cameras(tmp_path)
    view = next(read_cameras(str(tmp_path)))
    assert (view.rows.empty, view.newest) == (True, None)


def test_a_missing_archive_is_an_error_for_people(tmp_path: Path):
    with pytest.raises(UserError, match=r"There is no table .*camera yet"):
        next(read_cameras(str(tmp_path)))


def test_a_broken_table_is_an_error_for_people(tmp_path: Path):
    append_cameras(tmp_path, camera("a", 0))
    remove_data_files(tmp_path / "camera")
    with pytest.raises(UserError, match="cannot be read"):
        next(read_cameras(str(tmp_path)))
