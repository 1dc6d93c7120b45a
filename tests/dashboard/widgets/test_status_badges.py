"""What the badges say about lag and checks."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from contract.progress import QueryProgress
from dashboard.data.background_value import Snapshot
from dashboard.data.check_run import CheckRun, CheckRunner
from dashboard.data.freshness import LatencyPercentiles
from dashboard.data.live_view import LiveView
from dashboard.widgets.status_badges import check_badge, completeness_badges, update_badge
from tests.sample.verdicts import DIFFERS, HOLDS

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def snapshot(committed: int, messages: int, state: str = "running", age: float = 1) -> Snapshot:
    """A snapshot of a stream in which the counts' query reported ``age`` seconds ago."""
    progress = QueryProgress(
        "stats",
        state,
        "2026-11-20T11:59:00.000Z",
        batch_duration_ms=1000,
        end_offsets={0: committed},
    )
    view = LiveView(
        progress={"stats": progress},
        reported_at={"stats": NOW - timedelta(seconds=age)},
        end_offsets={0: messages},
        latencies=(LatencyPercentiles(NOW, 1.0, 3.14),),
    )
    return Snapshot(view, NOW)


@pytest.mark.parametrize(
    ("live", "texts"),
    [
        (snapshot(1000, 1000), ["All messages counted", "p90 latency 3.1 s"]),
        (
            snapshot(1000, 1000, "stopped"),
            ["All messages counted, query stopped", "p90 latency 3.1 s"],
        ),
        (snapshot(998, 1000), ["Counts up to date, lag 2 messages", "p90 latency 3.1 s"]),
        (snapshot(0, 1000), ["Catching up, lag 1,000 messages"]),
        (snapshot(999, 1000, "stopped"), ["Counts query stopped, lag 1 message"]),
        (snapshot(0, 1000, "restarting"), ["Counts query restarting, lag 1,000 messages"]),
        (
            snapshot(999, 1000, age=90),
            ["Counts query not heard of for 90 s, lag 1 message"],
        ),
        (Snapshot(LiveView(), NOW), ["No progress from the pipeline yet"]),
        (Snapshot(None, None, "Kafka is unavailable"), ["Lag unknown"]),
        (Snapshot(LiveView(), NOW - timedelta(minutes=1)), ["Lag unknown"]),
    ],
)
def test_the_badges_show_whether_all_messages_are_counted(live, texts):
    assert [badge.text for badge in completeness_badges(live, NOW)] == texts


def test_the_latency_of_a_history_is_not_green() -> None:
    view = snapshot(1000, 1000).value
    assert view
    of_history = replace(view, latencies=(LatencyPercentiles(NOW, 3_600.0, 86_400.0),))
    _, live_badge = completeness_badges(Snapshot(view, NOW), NOW)
    _, history_badge = completeness_badges(Snapshot(of_history, NOW), NOW)
    assert (live_badge.color, history_badge.color) == ("green", "gray")


def test_the_badge_of_the_check_shows_its_last_verdict_and_a_running_check():
    runner = CheckRunner()
    assert check_badge(runner, NOW).text == "Check not run yet"
    ended_at = NOW - timedelta(minutes=3)
    for holds, text in (
        (True, "Check passed 3 min ago"),
        (False, "Check found differences 3 min ago"),
    ):
        runner.last_completed = CheckRun(ended_at, ended_at, verdict=HOLDS if holds else DIFFERS)
        assert check_badge(runner, NOW).text == text
    runner.current = CheckRun(started_at=NOW)
    assert check_badge(runner, NOW).text == "Check running"


def test_the_badge_of_the_counts_shows_their_age():
    assert update_badge(NOW - timedelta(hours=2), NOW).text == "Counts updated 2 h ago"
