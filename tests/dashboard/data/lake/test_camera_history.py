"""The events of one camera."""

from pathlib import Path

from dashboard.data.lake.camera_history import read_camera_history
from tests.dashboard.sample_lake import NOON, after_noon, append_cameras, camera, event


def test_a_cameras_history_has_each_event_once_and_its_changes_of_state(tmp_path: Path):
    append_cameras(
        tmp_path,
        camera("a", 0, last_event=event(-1)),
        camera("a", 2, last_event=event(-1, end_time=after_noon(1))),
        camera("a", 9, online=False, last_is_online_change=after_noon(8), last_event=event(-1)),
        camera("b", 3, last_event=event(2)),
        camera("a", 10, last_event=event(9.5, has_person=False, has_sound=True)),
    )
    events = read_camera_history(str(tmp_path), "a", after_noon(10)).events
    assert [(row.kind, row.start_time, row.first_reported) for row in events.itertuples()] == [
        ("Motion", after_noon(9.5), after_noon(10)),
        ("Went offline", after_noon(8), after_noon(9)),
        ("Person seen", after_noon(-1), after_noon(0)),
        ("Came online", after_noon(-20), after_noon(10)),
        ("Came online", after_noon(-28), after_noon(2)),
        ("Came online", after_noon(-30), after_noon(0)),
    ]
    assert events["end_time"].iloc[2] == after_noon(1)


def test_a_device_id_is_a_value_and_never_sql(tmp_path: Path):
    append_cameras(tmp_path, camera("a", 0, last_event=event(0)))
    assert read_camera_history(str(tmp_path), "' OR 1=1 --", NOON).events.empty
