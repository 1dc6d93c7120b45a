"""Which cameras are online and offline, as of one refresh after another."""

import shutil
from pathlib import Path

import pytest
from deltalake import DeltaTable

from contract.errors import NotThereYet, UserError
from dashboard.data.lake.cameras import CamerasView, read_cameras
from tests.sample.lake import after_noon, append_status, camera, replace_status


def offline(view: CamerasView) -> list[str]:
    return view.offline["device_id"].tolist()


def device_ids(view: CamerasView) -> list[str]:
    return sorted(view.rows["device_id"].tolist())


def remove_data_files(table: Path) -> None:
    for file in table.glob("*.parquet"):
        file.unlink()


def test_the_states_are_those_of_the_newest_version(tmp_path: Path):
    append_status(
        tmp_path, camera("a", 0), camera("b", 0, online=False), camera("c", 1, online=False)
    )
    cameras = read_cameras(str(tmp_path))
    view = next(cameras)
    assert (offline(view), view.online, view.newest) == (["c", "b"], 1, after_noon(1))
    replace_status(tmp_path, camera("a", 5, online=False), camera("b", 4), camera("d", 3))
    view = next(cameras)
    assert (offline(view), view.online, view.newest) == (["a"], 2, after_noon(5))
    DeltaTable(tmp_path / "camera_status").delete("device_id = 'a'")
    assert device_ids(next(cameras)) == ["b", "d"]


def test_a_camera_whose_last_message_is_old_is_shown(tmp_path: Path):
    append_status(tmp_path, camera("old", 0), camera("new", 60 * 24 * 60))
    assert device_ids(next(read_cameras(str(tmp_path)))) == ["new", "old"]


def test_a_camera_is_called_by_its_long_name_or_its_own_or_that_of_its_place(tmp_path: Path):
    names = [
        {"name_long": "Front Door Camera", "name": "Front", "where_name": "Door"},
        {"name_long": None, "name": "Front", "where_name": "Door"},
        {"name_long": None, "name": None, "where_name": "Door"},
        {"name_long": None, "name": None, "where_name": None},
    ]
    append_status(tmp_path, *(camera(str(n), 0, **each) for n, each in enumerate(names)))
    view = next(read_cameras(str(tmp_path)))
    found = [view.name(str(number)) for number in range(len(names))]
    assert found == ["Front Door Camera", "Front", "Door", None]


def test_a_refresh_without_a_new_version_opens_no_file(tmp_path: Path):
    append_status(tmp_path, camera("a", 0, online=False))
    cameras = read_cameras(str(tmp_path))
    assert offline(next(cameras)) == ["a"]
    remove_data_files(tmp_path / "camera_status")
    assert offline(next(cameras)) == ["a"]


def test_a_table_that_is_gone_or_recreated_is_noticed(tmp_path: Path):
    append_status(tmp_path, camera("a", 0))
    cameras = read_cameras(str(tmp_path))
    assert device_ids(next(cameras)) == ["a"]
    shutil.rmtree(tmp_path / "camera_status")
    append_status(tmp_path, camera("b", 0))
    assert device_ids(next(cameras)) == ["b"]
    shutil.rmtree(tmp_path / "camera_status")
    with pytest.raises(NotThereYet, match=r"There is no table .*camera_status yet. The pipeline"):
        next(cameras)


def test_an_empty_table_has_no_cameras(tmp_path: Path):
    append_status(tmp_path)
    view = next(read_cameras(str(tmp_path)))
    assert (view.rows.empty, view.newest) == (True, None)


def test_a_broken_table_is_an_error_for_people(tmp_path: Path):
    append_status(tmp_path, camera("a", 0))
    remove_data_files(tmp_path / "camera_status")
    with pytest.raises(UserError, match="cannot be read"):
        next(read_cameras(str(tmp_path)))
