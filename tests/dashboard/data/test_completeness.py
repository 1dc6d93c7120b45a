"""Up to which moment the counts have every message."""

from datetime import UTC, datetime, timedelta

import pytest

from contract.progress import QueryProgress, State
from dashboard.data.background_value import Snapshot
from dashboard.data.completeness import CatchingUp, complete_until, how_complete
from dashboard.data.live_view import LiveView, OffsetSample

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def stream(
    committed: int, *totals: tuple[float, int], state: State = "running", batch_id: int = 3
) -> Snapshot[LiveView]:
    """A stream with samples of (seconds ago, messages), of which so many are counted."""
    progress = QueryProgress(
        "stats", state, "2026-11-20T12:00:00Z", batch_id, end_offsets={0: committed}
    )
    return Snapshot(
        LiveView(
            progress={"stats": progress},
            reported_at={"stats": NOON},
            end_offsets={0: totals[-1][1]},
            samples=tuple(
                OffsetSample(NOON - timedelta(seconds=ago), {0: messages}, {"stats": committed}, 0)
                for ago, messages in totals
            ),
        ),
        NOON,
    )


@pytest.mark.parametrize(
    ("live", "seconds_ago"),
    [
        (stream(100, (4, 90), (2, 100), (0, 100)), 0),
        (stream(100, (4, 90), (2, 100), (0, 101)), 2),
        (stream(95, (4, 90), (2, 100), (0, 101)), 4),
        (stream(0, (4, 0), (2, 0), (0, 0)), 0),
    ],
)
def test_the_counts_are_complete_to_the_newest_moment_whose_messages_are_all_counted(
    live: Snapshot[LiveView], seconds_ago: int
) -> None:
    assert complete_until(live) == NOON - timedelta(seconds=seconds_ago)


@pytest.mark.parametrize(
    "live",
    [
        stream(50, (4, 90), (2, 100), (0, 101)),
        Snapshot(LiveView(end_offsets={0: 7}), NOON),
        Snapshot(None, None, "Kafka is unavailable"),
    ],
)
def test_the_moment_is_not_known_before_a_sample_or_the_query_tells_it(
    live: Snapshot[LiveView],
) -> None:
    assert complete_until(live) is None


def test_a_moment_is_complete_once_each_partition_is_counted_as_far_as_it_was_then() -> None:
    """A limited batch takes of each partition what its share is of all that waits."""
    stats = QueryProgress("stats", "running", "2026-11-20T12:00:00Z", end_offsets={0: 200, 1: 20})
    then, now = {0: 100, 1: 100}, {0: 1000, 1: 100}
    samples = (OffsetSample(NOON, then, {"stats": 220}, 0), OffsetSample(NOON, now, {}, 0))
    view = LiveView({"stats": stats}, {"stats": NOON}, now, samples)
    assert complete_until(Snapshot(view, NOON)) is None


def test_the_moment_is_not_known_while_what_is_counted_is_of_a_topic_that_was_recreated() -> None:
    assert complete_until(stream(100, (2, 5), (0, 10))) is None


def test_until_a_moment_is_known_it_is_told_how_many_messages_are_counted() -> None:
    assert how_complete(stream(6, (2, 6), (0, 7)), NOON) == NOON - timedelta(seconds=2)
    assert how_complete(stream(5, (2, 6), (0, 7)), NOON) == CatchingUp(5, 7)
    first_batch = stream(0, (2, 6), (0, 7), batch_id=-1)
    assert how_complete(first_batch, NOON) == CatchingUp(0, 7)


@pytest.mark.parametrize("counted", [0, 5])
def test_a_moment_before_the_first_message_is_not_one_to_which_the_counts_are_complete(
    counted: int,
) -> None:
    live = stream(counted, (4, 0), (2, 6), (0, 7))
    assert complete_until(live) is None
    assert how_complete(live, NOON) == CatchingUp(counted, 7)


def test_before_the_query_has_begun_nothing_is_told() -> None:
    assert how_complete(Snapshot(LiveView(end_offsets={0: 7}), NOON), NOON) is None
    assert how_complete(Snapshot(None, None, "Kafka is unavailable"), NOON) is None


def test_a_query_that_does_not_run_or_was_killed_is_not_catching_up() -> None:
    assert how_complete(stream(5, (2, 6), (0, 7), state="stopped"), NOON) is None
    assert how_complete(stream(5, (2, 6), (0, 7), state="restarting"), NOON) is None
    assert how_complete(stream(5, (2, 6), (0, 7)), NOON + timedelta(minutes=10)) is None
