"""Moments that the charts mark."""

from datetime import UTC, datetime, timedelta

from contract.alerts import Alert, Kind
from contract.delta_commits import Commit
from contract.delta_tables import TableSize
from dashboard.data.alerts import AlertsView
from dashboard.data.check_run import CheckRun
from dashboard.data.lake.tables import TableView
from dashboard.data.live_view import Restart
from dashboard.data.stream_events import (
    alert_events,
    check_events,
    compaction_events,
    restart_events,
)
from tests.sample.verdicts import DIFFERS, HOLDS

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def after(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def test_queries_that_restart_together_are_the_pipeline_and_one_alone_is_itself() -> None:
    restarts = [
        Restart(after(0), "stats"),
        Restart(after(2), "archive"),
        Restart(after(100), "alerts"),
        Restart(after(104), "alerts"),
    ]
    assert restart_events(restarts) == [
        (after(0), "pipeline restarted"),
        (after(100), "alerts restarted"),
    ]


def test_only_commits_that_compacted_files_are_compactions() -> None:
    def commit(version: int, operation: str, removed: int | None) -> Commit:
        return Commit(version, after(version), operation, None, 1, removed, None, None)

    history = [commit(1, "WRITE", None), commit(2, "OPTIMIZE", 9), commit(3, "OPTIMIZE", 0)]
    size = TableSize(version=3, files=1, total_bytes=1, median_file_bytes=1, rows=1)
    camera = TableView("camera", "id", size, {each.version: each for each in history})
    assert compaction_events({"camera": camera}) == [(after(2), "camera compacted")]


def test_a_check_is_an_event_once_it_has_a_verdict() -> None:
    assert check_events(CheckRun()) == []
    assert check_events(CheckRun(NOON, problem="no Kafka", ended_at=after(1))) == []
    for holds, name in ((True, "the check holds"), (False, "the check fails")):
        run = CheckRun(NOON, after(5), verdict=HOLDS if holds else DIFFERS)
        assert check_events(run) == [(after(5), name)]


def test_an_alert_names_its_camera_and_silence_is_an_event_when_it_is_noticed() -> None:
    def alert(kind: Kind, name: str | None) -> Alert:
        return Alert(kind, "a", kind, NOON, after(3), 0, 0, "94304", name)

    alerts = alert("offline", "Porch"), alert("online", None), alert("silent", "Porch")
    sent_at = dict.fromkeys(("offline", "online", "silent"), after(30))
    assert alert_events(AlertsView(alerts, sent_at)) == [
        (after(3), "Porch went offline"),
        (after(3), "a came online"),
        (after(30), "Porch has gone silent"),
    ]
