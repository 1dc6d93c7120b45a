"""A page without counts says why there are none, and what to do about it."""

from datetime import UTC, datetime

import pytest

from contract.progress import QueryProgress, State
from dashboard.data.background_value import Snapshot
from dashboard.data.live_view import LiveView, OffsetSample
from dashboard.data.no_counts import why_no_counts

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def stream(
    counted: int, messages: int, state: State = "running", *, before: int | None = None
) -> Snapshot[LiveView]:
    """A stream of which so many messages are counted; an earlier sample had ``before`` messages."""
    progress = QueryProgress("stats", state, "2026-11-20T12:00:00Z", end_offsets={0: counted})
    totals = [messages] if before is None else [before, messages]
    samples = tuple(OffsetSample(NOON, {0: each}, {"stats": counted}, 0) for each in totals)
    return Snapshot(LiveView({"stats": progress}, {"stats": NOON}, {0: messages}, samples), NOON)


@pytest.mark.parametrize(
    ("live", "says"),
    [
        (Snapshot(None, None), "`nest up` starts both"),
        (Snapshot(LiveView(end_offsets={0: 0}), NOON), "`nest up` starts both"),
        (Snapshot(LiveView(end_offsets={0: 7}), NOON), "Kafka has 7 messages"),
        (stream(0, 7), "The pipeline is reading the 7 messages in Kafka"),
        (stream(0, 7, "stopped"), "check that the pipeline (`nest pipeline`) is running"),
        (stream(7, 7), "All of the 7 messages in Kafka are counted"),
        (stream(0, 7, before=0), "The pipeline is reading the 7 messages in Kafka"),
        (stream(0, 7, "stopped", before=0), "check that the pipeline (`nest pipeline`) is running"),
        (stream(5, 7, before=4), "Nobody was seen yet.** 5 of the 7 messages in Kafka are counted"),
    ],
)
def test_the_notice_says_why_there_are_no_counts(live: Snapshot[LiveView], says: str) -> None:
    assert says in why_no_counts(live, NOON)
