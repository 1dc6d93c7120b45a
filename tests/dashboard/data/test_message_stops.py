"""When a message came to the counts and to the archive."""

from datetime import UTC, datetime, timedelta

from dashboard.data.live_view import CommittedBatch, LiveView
from dashboard.data.message import Position
from dashboard.data.message_stops import query_stops
from tests.sample.progress import progress

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def stream(end: int) -> LiveView:
    """A topic with so many messages, of which 50 were counted at noon and none is archived."""
    before, counted = progress("stats", 10), progress("stats", 50, longest_wait_ms=2000)
    return LiveView(
        progress={"stats": counted},
        end_offsets={0: end},
        batches=(CommittedBatch(before, counted, NOON),),
    )


def test_a_message_is_counted_as_soon_as_its_batch_is_committed() -> None:
    wait = timedelta(seconds=2)
    archived = ("Archived", False, None, timedelta())
    assert query_stops(stream(60), Position(0, 49)) == [("Counted", True, NOON, wait), archived]
    assert query_stops(stream(60), Position(0, 9)) == [("Counted", True, None, wait), archived]
    assert query_stops(stream(60), Position(0, 50)) == [("Counted", False, None, wait), archived]


def test_what_was_counted_of_an_earlier_topic_says_nothing_of_a_message_of_the_new_one() -> None:
    counted = query_stops(stream(49), Position(0, 30))[0]
    assert (counted.is_reached, counted.at) == (False, None)
