"""When a message came to the counts and to the archive."""

from datetime import UTC, datetime, timedelta

from contract.instants import format_instant
from contract.sightings import Sighting
from dashboard.data.lake.archived_message import PersonEvent
from dashboard.data.live_view import CommittedBatch, LiveView
from dashboard.data.message import Message, Position
from dashboard.data.message_stops import query_stops, sighting_stop
from tests.sample.progress import progress

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def stream(end: int) -> LiveView:
    """A topic with so many messages, of which 50 were counted at noon and none is archived."""
    began = format_instant(NOON - timedelta(seconds=1))  # the sample's batches take a second
    before = progress("stats", 10)
    counted = progress("stats", 50, longest_wait_ms=2000, timestamp=began)
    return LiveView(
        progress={"stats": counted},
        end_offsets={0: end},
        batches=(CommittedBatch(before, counted),),
    )


def test_a_message_is_counted_as_soon_as_its_batch_is_committed() -> None:
    wait = timedelta(seconds=2)
    archived = ("Read by the archive", False, None, timedelta())
    assert query_stops(stream(60), Position(0, 49)) == [
        ("Read by the counts", True, NOON, wait),
        archived,
    ]
    assert query_stops(stream(60), Position(0, 9)) == [
        ("Read by the counts", True, None, wait),
        archived,
    ]
    assert query_stops(stream(60), Position(0, 50)) == [
        ("Read by the counts", False, None, wait),
        archived,
    ]


def test_what_was_counted_of_an_earlier_topic_says_nothing_of_a_message_of_the_new_one() -> None:
    counted = query_stops(stream(49), Position(0, 30))[0]
    assert (counted.is_reached, counted.at) == (False, None)


def test_a_sighting_is_its_messages_before_the_archive_tells_and_then_its_first_reports() -> None:
    start, sent_at = NOON - timedelta(seconds=9), NOON + timedelta(milliseconds=30)
    view = LiveView(sightings_sent_at={Sighting("a", "94304", start): sent_at})
    persons = frozenset({("a", start), ("b", start)})
    message = Message(Position(0, 7), NOON, "{}", True, 2, persons)
    sent = ("Sighting sent", True, sent_at, timedelta())
    assert sighting_stop(view, message, None) == sent
    later = message._replace(timestamp=NOON + timedelta(seconds=1))
    assert sighting_stop(view, later, None) is None, "it reports again what was sent before"
    assert sighting_stop(view, message._replace(seen_persons=frozenset()), None) is None
    for first, expected in ((Position(0, 7), sent), (Position(0, 3), None), (None, None)):
        assert sighting_stop(view, message, [PersonEvent("a", start, first)]) == expected
