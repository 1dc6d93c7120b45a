"""What the pages read from the lake, as of one refresh after another."""

import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from deltalake import DeltaTable

from contract.errors import UserError
from dashboard.data.lake.cameras import camera_history, read_cameras
from dashboard.data.lake.commits import compactions
from dashboard.data.lake.quarantine import SAMPLES, read_quarantine
from dashboard.data.lake.tables import read_lake, table_at, version_at
from tests.dashboard.sample_lake import NOON, after_noon, archive, bad, camera, event, quarantine


def offline(view) -> list[str]:
    return view.offline["device_id"].tolist()


def test_a_cameras_state_is_that_of_its_newest_report(tmp_path: Path):
    archive(tmp_path, camera("a", 0), camera("b", 0, online=False), camera("c", 1, online=False))
    archive(tmp_path, camera("b", 5), camera("a", 4, online=False), camera("a", 3))
    view = next(read_cameras(str(tmp_path)))
    assert offline(view) == ["a", "c"]
    assert (view.online, len(view.rows)) == (1, 3)
    assert view.newest == after_noon(5)


def test_of_two_reports_at_one_moment_the_later_record_counts(tmp_path: Path):
    archive(tmp_path, camera("a", 0, offset=8, online=False), camera("a", 0, offset=7))
    assert offline(next(read_cameras(str(tmp_path)))) == ["a"]


def test_a_refresh_opens_only_the_files_that_have_come_since(tmp_path: Path):
    archive(tmp_path, camera("a", 0), camera("b", 0))
    cameras = read_cameras(str(tmp_path))
    first = next(cameras)
    assert (first.files_read, first.files) == (1, 1)
    assert next(cameras) is first
    archive(tmp_path, camera("a", 1, online=False))
    second = next(cameras)
    assert (second.files_read, second.files) == (1, 2)
    assert offline(second) == ["a"]


def test_older_files_than_a_day_are_not_opened(tmp_path: Path):
    day = 24 * 60
    archive(tmp_path, camera("gone", 0))
    archive(tmp_path, camera("a", day + 60))
    view = next(read_cameras(str(tmp_path)))
    assert (view.files_read, view.files) == (1, 2)
    assert view.rows["device_id"].tolist() == ["a"]
    cameras = read_cameras(str(tmp_path))
    next(cameras)
    archive(tmp_path, camera("b", 3 * day))
    assert next(cameras).rows["device_id"].tolist() == ["b"]


def test_rows_that_were_deleted_are_forgotten(tmp_path: Path):
    archive(tmp_path, camera("a", 0), camera("b", 0))
    archive(tmp_path, camera("a", 1))
    cameras = read_cameras(str(tmp_path))
    assert len(next(cameras).rows) == 2
    DeltaTable(tmp_path / "camera").delete("device_id = 'a'")
    assert next(cameras).rows["device_id"].tolist() == ["b"]


def test_compaction_changes_nothing_but_the_files(tmp_path: Path):
    for minute in range(4):
        archive(tmp_path, camera("a", minute, online=minute % 2 == 0), camera("b", minute))
    cameras, lake = read_cameras(str(tmp_path)), read_lake(str(tmp_path))
    before, tables = next(cameras), next(lake).tables
    assert compactions(tables["camera"].commits) == []
    DeltaTable(tmp_path / "camera").optimize.compact()
    after, tables = next(cameras), next(lake).tables
    assert offline(after) == offline(before) == ["a"]
    assert after.files == 1
    (found,) = compactions(tables["camera"].commits)
    assert (found.files_removed, found.files_added) == (4, 1)
    assert found.bytes_removed > found.bytes_added > 0


def test_a_table_that_was_made_anew_is_read_anew(tmp_path: Path):
    for minute in range(3):
        archive(tmp_path, camera("a", minute))
        quarantine(tmp_path, bad("malformed", minute))
    cameras, lake = read_cameras(str(tmp_path)), read_lake(str(tmp_path))
    assert len(next(cameras).rows) == 1
    assert next(lake).quarantine.reasons == {"malformed": 3}
    for name in ("camera", "quarantine"):
        shutil.rmtree(tmp_path / name)
    for minute in range(3):
        archive(tmp_path, camera("b", minute))
        quarantine(tmp_path, bad("future", minute))
    assert next(cameras).rows["device_id"].tolist() == ["b"]
    view = next(lake)
    assert view.quarantine.reasons == {"future": 3}
    assert view.tables["camera"].extent.rows == 3


def test_an_empty_archive_has_no_cameras(tmp_path: Path):
    archive(tmp_path)
    view = next(read_cameras(str(tmp_path)))
    assert (view.rows.empty, view.newest) == (True, None)


def test_without_an_archive_it_is_told(tmp_path: Path):
    with pytest.raises(UserError, match=r"There is no table .*camera yet"):
        next(read_cameras(str(tmp_path)))
    with pytest.raises(UserError, match="There is no table yet"):
        next(read_lake(str(tmp_path)))


def test_a_broken_table_is_told_without_what_may_be_a_credential(tmp_path: Path):
    archive(tmp_path, camera("a", 0))
    for file in (tmp_path / "camera").glob("*.parquet"):
        file.unlink()
    with pytest.raises(UserError, match="cannot be read"):
        next(read_cameras(str(tmp_path)))


def test_a_cameras_history_has_each_event_once_and_when_it_was_offline(tmp_path: Path):
    archive(
        tmp_path,
        camera("a", 0, last_event=event(-1)),
        camera("a", 2, last_event=event(-1, end_time=after_noon(1))),
        camera("a", 9, online=False, last_is_online_change=after_noon(8), last_event=event(-1)),
        camera("b", 3, last_event=event(2)),
        camera("a", 10, last_event=event(9.5, has_person=False, has_sound=True)),
    )
    found = camera_history(str(tmp_path), "a", after_noon(10))
    told = [(row.what, row.moment, row.reported) for row in found.events.itertuples()]
    assert told == [
        ("Motion", after_noon(9.5), after_noon(10)),
        ("Went offline", after_noon(8), after_noon(9)),
        ("Person seen", after_noon(-1), after_noon(0)),
        ("Came online", after_noon(-20), after_noon(10)),
        ("Came online", after_noon(-28), after_noon(2)),
        ("Came online", after_noon(-30), after_noon(0)),
    ]
    assert found.events["until"].iloc[2] == after_noon(1)


def test_a_device_id_is_a_value_and_never_sql(tmp_path: Path):
    archive(tmp_path, camera("a", 0, last_event=event(0)))
    found = camera_history(str(tmp_path), "' OR 1=1 --", NOON)
    assert found.events.empty


def test_a_table_tells_its_version_rows_files_and_what_was_done(tmp_path: Path):
    archive(tmp_path, camera("a", 0), camera("b", 0))
    archive(tmp_path, camera("a", 1))
    lake = read_lake(str(tmp_path))
    table = next(lake).tables["camera"]
    assert (table.extent.version, table.extent.rows, table.extent.files) == (1, 3, 2)
    assert table.extent.octets > table.extent.smallest > 0
    assert [(c.version, c.operation, c.rows) for c in table.commits.values()] == [
        (1, "WRITE", 1),
        (0, "WRITE", 2),
    ]
    archive(tmp_path, camera("a", 2))
    assert list(next(lake).tables["camera"].commits) == [2, 1, 0]


def test_a_table_can_be_seen_as_of_a_version_and_a_time(tmp_path: Path):
    archive(tmp_path, camera("a", 0))
    archive(tmp_path, camera("a", 1), camera("b", 1))
    commits = next(read_lake(str(tmp_path))).tables["camera"].commits
    then = table_at(str(tmp_path), "camera", 0)
    assert (then.extent.rows, then.rows["device_id"].tolist()) == (1, ["a"])
    assert version_at(commits, commits[0].moment) in (0, 1)
    assert version_at(commits, commits[1].moment) == 1
    assert version_at(commits, commits[0].moment - timedelta(seconds=1)) is None
    with pytest.raises(UserError, match="cannot be read"):
        table_at(str(tmp_path), "camera", 7)


def test_quarantine_counts_its_reasons_and_keeps_the_newest_samples(tmp_path: Path):
    rows = [bad("malformed", minute, raw=f"{{{minute}") for minute in range(5)]
    quarantine(tmp_path, *rows, bad("future", 2, detail="camera x"))
    view = next(reading := read_quarantine(str(tmp_path)))
    assert view.reasons == {"malformed": 5, "future": 1}
    assert [sample.raw for sample in view.samples["malformed"]] == ["{4", "{3", "{2"]
    assert len(view.samples["malformed"]) == SAMPLES
    quarantine(tmp_path, bad("malformed", 9, raw=None))
    view = next(reading)
    assert view.reasons == {"malformed": 6, "future": 1}
    assert view.samples["malformed"][0].raw is None
    assert view.samples["future"][0].detail == "camera x"


def test_a_sample_is_cut_off_and_shows_no_credential(tmp_path: Path):
    token = "c.verysecret"
    quarantine(tmp_path, bad("malformed", 0, raw=f'{{"access_token":"{token}","x":"' + "y" * 9999))
    (sample,) = next(read_quarantine(str(tmp_path))).samples["malformed"]
    assert token not in sample.raw
    assert len(sample.raw) < 5000 < sample.length


def test_a_lake_without_quarantine_has_nothing_in_it(tmp_path: Path):
    assert next(read_quarantine(str(tmp_path))).reasons == {}
