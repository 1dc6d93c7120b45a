"""`nest ready` looks at every query and says which one is not well."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from contract.errors import UserError
from contract.progress import QueryProgress
from contract.queries import Query
from contract.settings import Settings
from demo.health import ready
from demo.health.ready import QueryHealth, judge_queries, require_ready
from tests.sample.counts import count, send_counts
from tests.sample.progress import progress as new_progress
from tests.sample.progress import send_messages, send_progress

NOW = datetime(2026, 11, 20, 10, 0, tzinfo=UTC)
ENDS = {0: 1_000, 1: 1_000}


def progress(query: str, done: int, minutes_ago: float = 0, **fields: object) -> QueryProgress:
    moment = (NOW - timedelta(minutes=minutes_ago)).isoformat()
    found = new_progress(query, {0: 1_000, 1: done}, timestamp=moment, batch_duration_ms=0)
    return replace(found, **fields)


def judged(*queries: QueryProgress) -> list[tuple[str, bool]]:
    latest = {each.query: each for each in queries}
    reported_at = {each.query: each.committed_at for each in queries}
    names = (Query.STATS, Query.ARCHIVE, Query.CAMERA_STATUS)
    found = judge_queries(latest, reported_at, ENDS, names, NOW)
    return [(each.sentence, each.is_well) for each in found]


def test_queries_that_have_read_everything_are_well_also_where_they_have_stopped() -> None:
    assert judged(
        progress(Query.STATS, 1_000, 0.5), progress(Query.ARCHIVE, 1_000, 600, state="stopped")
    ) == [
        ("stats is up to date.", True),
        ("archive is up to date.", True),
    ]


@pytest.mark.parametrize(
    ("archive", "sentence", "is_well"),
    [
        (
            progress(Query.ARCHIVE, 900, 0.5),
            "is behind: 100 messages to go, last heard of 30 s ago.",
            True,
        ),
        (
            progress(Query.ARCHIVE, 900, 9),
            "is silent: last heard of 540 s ago.",
            False,
        ),
        (
            progress(Query.ARCHIVE, 900, 0.5, state="waiting"),
            "is behind: 100 messages to go, last heard of 30 s ago.",
            True,
        ),
        (
            progress(Query.ARCHIVE, 900, 9, state="waiting"),
            "is silent: last heard of 540 s ago.",
            False,
        ),
        (
            progress(Query.ARCHIVE, 900, state="restarting", reason="no space left"),
            "is restarting: no space left.",
            False,
        ),
        (progress(Query.ARCHIVE, 900, reason="no space"), "was restarted: no space.", False),
        (progress(Query.ARCHIVE, 1_000, 9), "is silent: last heard of 540 s ago.", False),
        (progress(Query.ARCHIVE, 1_000, reason="no space"), "is up to date.", True),
        (progress(Query.ARCHIVE, 1_000, state="stopped", reason="x"), "has stopped: x.", False),
        (
            progress(Query.ARCHIVE, 900, state="stopped"),
            "has stopped: 100 messages to go, last heard of 0 s ago.",
            False,
        ),
    ],
)
def test_the_archive_may_be_behind_but_not_silent_restarting_or_stopped(
    archive: QueryProgress, sentence: str, is_well: bool
) -> None:
    assert judged(progress(Query.STATS, 1_000), archive)[1] == (f"archive {sentence}", is_well)


def test_counts_that_are_behind_and_an_archive_that_never_began_are_not_ready() -> None:
    assert judged(progress(Query.STATS, 999)) == [
        ("stats is behind: 1 message to go, last heard of 0 s ago.", False),
        ("archive has committed no batch yet.", False),
    ]


def test_a_query_on_a_table_is_judged_by_its_state_and_silence_and_only_if_it_has_run() -> None:
    waiting = QueryProgress(Query.CAMERA_STATUS, "running", NOW.isoformat())
    assert judged(waiting)[2:] == [("camera_status is running.", True)]
    killed = replace(waiting, timestamp=(NOW - timedelta(minutes=9)).isoformat())
    assert judged(killed)[2:] == [("camera_status is silent: last heard of 540 s ago.", False)]
    dying = replace(waiting, state="restarting", reason="no such table")
    assert judged(dying)[2:] == [("camera_status is restarting: no such table.", False)]


def test_a_query_that_is_switched_off_is_not_looked_at() -> None:
    dead = QueryProgress("sightings", "stopped", NOW.isoformat(), reason="out of memory")
    found = judged(progress(Query.STATS, 1_000), progress(Query.ARCHIVE, 1_000), dead)
    assert [is_well for _, is_well in found] == [True, True]


@pytest.mark.kafka
def test_what_was_committed_of_a_topic_that_was_recreated_makes_nothing_ready(
    fresh_topics: str,
) -> None:
    send_messages(fresh_topics, 1, 1)
    for query in (Query.STATS, Query.ARCHIVE):
        send_progress(fresh_topics, progress(query, 1_000))
    with pytest.raises(UserError, match="stats has committed no batch yet"):
        require_ready(Settings(bootstrap_servers=fresh_topics), within=1)


def commit(bootstrap_servers: str, messages: int) -> None:
    queries = (Query.STATS, Query.ARCHIVE)
    send_progress(bootstrap_servers, *(new_progress(query, messages) for query in queries))


@pytest.fixture
def after_each_look(
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[..., Iterator[Callable[[], None]]]:
    """Take one of the steps each time that `nest ready` has looked; return those that are left."""

    def take(*steps: Callable[[], None]) -> Iterator[Callable[[], None]]:
        left = iter(steps)

        def judge(*seen: Any) -> list[QueryHealth]:
            next(left, lambda: None)()
            return judge_queries(*seen)

        monkeypatch.setattr(ready, "judge_queries", judge)
        return left

    return take


@pytest.mark.kafka
def test_a_topic_without_messages_is_ready_once_what_came_with_the_first_count_is_counted(
    fresh_topics: str, after_each_look: Callable[..., Iterator[Callable[[], None]]]
) -> None:
    left = after_each_look(
        lambda: send_messages(fresh_topics, 1),
        lambda: commit(fresh_topics, 1),
        lambda: send_messages(fresh_topics, 1),
        lambda: send_counts(fresh_topics, count("94304", 0, 1)),
        lambda: commit(fresh_topics, 2),
    )
    assert require_ready(Settings(bootstrap_servers=fresh_topics), within=60)
    assert not list(left)


@pytest.mark.kafka
def test_the_first_count_is_waited_for(
    fresh_topics: str, after_each_look: Callable[..., Iterator[Callable[[], None]]]
) -> None:
    send_messages(fresh_topics, 1)
    commit(fresh_topics, 1)
    left = after_each_look(lambda: send_counts(fresh_topics, count("94304", 0, 1)))
    assert require_ready(Settings(bootstrap_servers=fresh_topics), within=60)
    assert not list(left)


@pytest.mark.kafka
def test_what_did_not_come_in_time_is_named(fresh_topics: str) -> None:
    settings = Settings(bootstrap_servers=fresh_topics)
    with pytest.raises(UserError, match="There is no message in nest-logs yet"):
        require_ready(settings, within=0)
    send_messages(fresh_topics, 1)
    commit(fresh_topics, 1)
    with pytest.raises(UserError, match=r"There is no count yet.\nNot ready within 0 s."):
        require_ready(settings, within=0)
