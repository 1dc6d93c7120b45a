"""The check of camera_status and its alerts: on a correct run, a running one and damaged ones."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from deltalake import DeltaTable, write_deltalake

from check import Verdict, run_check
from tests.check.verdicts import failing
from tests.sample.small_run import SmallRun, alert, at, camera, event, small_run, with_status

pytestmark = pytest.mark.kafka

A1, A2, B1, B2, C1 = range(5)
"""The cameras' places in ``status``."""


def damaged(
    check: Callable[[SmallRun], Verdict], damage: Callable[[SmallRun], object]
) -> dict[str, str]:
    run = with_status(small_run())
    damage(run)
    return failing(check(run))


DAMAGES: dict[str, tuple[Callable[[SmallRun], object], str]] = {
    "camera_status rows missing": (lambda run: run.status.pop(B2), "device_id b2"),
    "camera_status rows doubled": (
        lambda run: run.status.append(run.status[C1]),
        "device_id c1: 2 rows",
    ),
    "camera_status rows that the archive does not have": (
        lambda run: run.status[B2].update(offset=9),
        "partition 1 offset 9 device_id b2",
    ),
    "camera_status values that differ": (
        lambda run: run.status[A1].update(name="Cellar"),
        "partition 0 offset 4 device_id a1 name: expected Hallway (upstairs), found Cellar",
    ),
    "camera_status rows that are stale": (
        lambda run: run.status[A1].update(run.row("a1", 2)),
        "partition 0 offset 3 device_id a1 is not the newest",
    ),
    "alerts that the archive does not explain": (
        lambda run: run.alerts.append(alert("offline", run.row("c1", 0))),
        "partition 2 offset 0 c1:2:0:offline",
    ),
    "cameras whose newest alert is not their state": (
        lambda run: run.alerts.pop(),
        "device_id a2 is online, its newest alert is offline",
    ),
}


@pytest.mark.parametrize("what", DAMAGES)
def test_damage_is_found_and_named(check: Callable[[SmallRun], Verdict], what: str) -> None:
    damage, example = DAMAGES[what]
    failed = damaged(check, damage)
    assert failed[what] == example
    also = {"camera_status rows doubled": "cameras in camera_status"}
    also["camera_status rows missing"] = "cameras in camera_status"
    also["alerts that the archive does not explain"] = (
        "cameras whose newest alert is not their state"
    )
    assert failed.keys() - {also.get(what, what)} <= {what}


def test_a_missing_table_is_named_once_its_query_has_committed(
    fresh_topics: str, tmp_path: Path
) -> None:
    settings = with_status(small_run()).write(fresh_topics, tmp_path)
    shutil.rmtree(tmp_path / "lake" / "camera_status")
    assert "table camera_status" in failing(run_check(settings))


def test_what_the_query_has_not_taken_in_yet_may_be_there_or_not(
    fresh_topics: str, tmp_path: Path
) -> None:
    run = with_status(small_run())
    run.status = [dict(row) for row in (run.row("a1", 1), run.row("a2", 2), run.row("b1"))]
    in_time = sorted(run.archive, key=lambda row: row["timestamp"])
    files = in_time[:5], in_time[5:10], in_time[10:]  # in the first: a1, a2, a1, a2, b1
    run.archive = [row for one_of_each in zip(*files, strict=True) for row in one_of_each]
    run.taken_in["camera_status"] = 1
    settings = run.write(fresh_topics, tmp_path)
    verdict = run_check(settings)
    assert failing(verdict) == {}
    (line,) = [each for each in verdict.comparisons if each.what == "cameras in camera_status"]
    assert (line.expected, line.found) == ("3 to 5", "3")
    DeltaTable(tmp_path / "lake" / "camera").optimize.compact()  # other files with the same rows
    assert failing(run_check(settings)) == {}
    bounded = run_check(settings.model_copy(update={"sightings": False}), must_be_complete=True)
    assert set(failing(bounded)) == {
        "cameras in camera_status",
        "camera_status rows missing",
        "camera_status rows that are stale",
    }


def test_alerts_whose_query_has_not_reported_are_judged_at_the_end_of_a_run(
    fresh_topics: str, tmp_path: Path
) -> None:
    run = with_status(small_run())
    run.alerts.pop()
    del run.taken_in["alerts"]
    settings = run.write(fresh_topics, tmp_path)
    verdict = run_check(settings)
    assert failing(verdict) == {}
    assert_states_are_not_compared(verdict, "their query has committed nothing yet")
    at_its_end = failing(run_check(settings, must_be_complete=True))
    assert DAMAGES["cameras whose newest alert is not their state"][1] in at_its_end.values()


def test_states_of_a_table_that_was_made_anew_wait_for_the_query_of_the_alerts(
    fresh_topics: str, tmp_path: Path
) -> None:
    settings = with_status(small_run()).write(fresh_topics, tmp_path)
    table = tmp_path / "lake" / "camera_status"
    rows, properties = DeltaTable(table).to_pyarrow_table(), DeltaTable(table).metadata()
    shutil.rmtree(table)
    write_deltalake(table, rows, configuration=properties.configuration)
    verdict = run_check(settings)
    assert failing(verdict) == {}
    assert_states_are_not_compared(
        verdict, "their query has committed nothing of it, only of an earlier one"
    )


def test_states_of_which_none_is_known_are_not_compared(fresh_topics: str, tmp_path: Path) -> None:
    settings = with_status(small_run()).write(fresh_topics, tmp_path)
    DeltaTable(tmp_path / "lake" / "camera_status").update({"is_online": "null"})
    verdict = run_check(settings, must_be_complete=True)
    assert_states_are_not_compared(verdict, "it has no camera whose state is known")


def assert_states_are_not_compared(verdict: Verdict, reason: str) -> None:
    lines = {each.what for each in verdict.comparisons}
    assert "cameras whose newest alert is not their state" not in lines
    assert f"alerts are not compared with camera_status: {reason}" in verdict.notes


def test_a_later_state_than_the_alerts_have_seen_is_not_held_against_them(
    fresh_topics: str, tmp_path: Path
) -> None:
    settings = with_status(small_run()).write(fresh_topics, tmp_path)
    status = DeltaTable(tmp_path / "lake" / "camera_status")
    status.update({"is_online": "false"}, predicate="device_id = 'b1'")
    assert set(failing(run_check(settings))) == {"camera_status values that differ"}


def test_odd_alerts_are_noted_or_judged_by_what_they_say(
    check: Callable[[SmallRun], Verdict],
) -> None:
    run = with_status(small_run())
    c1 = run.row("c1", 2)
    run.alerts += [
        dict(run.alerts[0]),  # sent twice
        b"{",
        b'{"alert":"open"}',
        json.dumps(alert("silent", c1, since="2026-11-20T11:10:00Z") | {"offset": 10**20}).encode(),
        alert("silent", c1, since="2026-11-20T11:10:00Z"),
        alert("online", c1, since="2026-11-20T11:10:00Z", was_silent_for_s=9.0),
        alert("offline", {**c1, "device_id": "forgotten", "offset": 77}),
    ]
    verdict = check(run)
    assert failing(verdict) == {}
    assert "3 records of nest-camera-alerts are no alerts: offset 3" in "\n".join(verdict.notes)


def test_what_is_false_in_the_archive_is_not_held_against_its_copy(
    check: Callable[[SmallRun], Verdict],
) -> None:
    run = with_status(small_run())
    run.archive.append({**run.row("a1"), "device_id": "x", "partition": 3, "offset": 0})
    assert run.status is not None
    run.status.append(dict(run.archive[-1]))
    # The row of x is false in the archive, and camera_status has what the archive has.
    assert set(failing(check(run))) == {
        "archive rows",
        "archive rows that nothing in nest-logs has",
    }


def test_the_newest_row_of_one_message_may_be_either_of_two_entries(
    check: Callable[[SmallRun], Verdict],
) -> None:
    run = small_run()
    run.add_message(
        3, "11:30:00", [camera("d1", event("11:29:00")), camera("d1", None, name="Other")]
    )
    run.counts.append((("unknown", "11:00:00", "12:00:00"), 2))
    run.committed = {"archive": run.ends(), "stats": run.ends()}
    run = with_status(run)
    assert run.status is not None
    run.status.append(dict(run.row("d1", 1)))
    assert failing(check(run)) == {}
    assert at("11:30:00") == run.row("d1", 1)["timestamp"]
