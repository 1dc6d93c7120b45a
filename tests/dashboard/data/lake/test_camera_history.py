"""The events of one camera."""

from pathlib import Path

from dashboard.data.lake.camera_history import read_camera_history
from dashboard.data.lake.delta_table import require_table, sent_between, table_rows
from tests.sample.lake import NOON, after_noon, append_cameras, camera, event


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


def test_a_camera_was_offline_from_a_change_to_the_next_one(tmp_path: Path):
    def state(minutes: float, online: bool, changed: float) -> dict:
        return camera("a", minutes, online=online, last_is_online_change=after_noon(changed))

    day = 24 * 60
    append_cameras(
        tmp_path,
        state(10, False, -30),  # offline before these 24 hours begin, at noon
        state(20, True, 15),
        state(50, False, 40),
        state(70, True, 60),
        state(day, False, day - 5),
    )
    history = read_camera_history(str(tmp_path), "a", after_noon(day))
    assert history.since == after_noon(0)
    assert history.outages == [
        (after_noon(0), after_noon(15)),
        (after_noon(40), after_noon(60)),
        (after_noon(day - 5), None),
    ]
    assert history.events["start_time"].tolist() == [
        after_noon(each) for each in (day - 5, 60, 40, 15)
    ]


def test_a_return_without_a_known_outage_draws_none(tmp_path: Path):
    append_cameras(tmp_path, camera("a", 0))
    assert read_camera_history(str(tmp_path), "a", NOON).outages == []


def test_of_a_camera_that_is_silent_only_the_files_of_its_last_days_are_read(tmp_path: Path):
    day = 24 * 60
    for number in range(6):
        append_cameras(tmp_path, camera("a" if number < 3 else "b", number * day))
    history = read_camera_history(str(tmp_path), "a", after_noon(2 * day))
    assert (history.files_read, history.files) == (3, 6)
    moment = after_noon(2 * day)
    with_moment = table_rows(require_table(str(tmp_path), "camera"), sent_between(moment, moment))
    assert len(with_moment.files) == 1
