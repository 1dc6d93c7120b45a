"""When a message came to each stop on its way: the sightings, the counts, the archive."""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from contract.queries import Query
from dashboard.data.lake.archived_message import PersonEvent
from dashboard.data.live_view import LiveView
from dashboard.data.message import Message, Position

_READERS = (("Read by the counts", Query.STATS), ("Read by the archive", Query.ARCHIVE))


class Stop(NamedTuple):
    """A stop of a message, and when it came there."""

    name: str
    is_reached: bool
    at: datetime | None
    """UTC; None before that, or where it is so long ago that nothing tells any more."""
    longest_wait: timedelta = timedelta()
    """How long few messages may wait before they come there, by design."""


def query_stops(view: LiveView, position: Position) -> list[Stop]:
    """Return when the counts and the archive have read the message at a position.

    That says nothing of what it raised there: it may be malformed, or not on time.
    """
    return [_query_stop(name, view, query, position) for name, query in _READERS]


def _query_stop(name: str, view: LiveView, query: str, position: Position) -> Stop:
    progress = view.progress.get(query)
    if progress is None:
        return Stop(name, False, None)
    is_committed = _has(view.committed(query), position)
    at = _committed_at(view, query, position) if is_committed else None
    return Stop(name, is_committed, at, progress.longest_wait)


def sighting_stop(
    view: LiveView, message: Message, events: Iterable[PersonEvent] | None
) -> Stop | None:
    """Return the stop of the sightings that a message was the first to report.

    ``events`` are the message's in the archive, which tell whether it was the first; None while it
    is not archived. Until then a sighting that was sent after the message counts as its own. None
    if nothing tells of such sightings, so also where NEST_SIGHTINGS is off.
    """
    if events is None:
        sent = [at for at in _sent_at(view, message.seen_persons) if at >= message.timestamp]
    else:
        own = (each for each in events if each.first_report == message.position)
        sent = _sent_at(view, {(each.device_id, each.start_time) for each in own})
    return Stop("Sighting sent", True, min(sent)) if sent else None


def _sent_at(view: LiveView, seen: Collection[tuple[str, datetime]]) -> list[datetime]:
    """Return when the sightings of these devices and starts were sent, of those that are known."""
    return [
        sent_at
        for each, sent_at in view.sightings_sent_at.items()
        if (each.device_id, each.start_time) in seen
    ]


def _committed_at(view: LiveView, query: str, position: Position) -> datetime | None:
    """Return when the batch was committed that had the message; None for one of long ago."""
    return next(
        (
            batch.committed_at
            for batch in view.batches
            if batch.progress.query == query
            and _has(batch.progress.end_offsets, position)
            and not _has(batch.previous.end_offsets, position)
        ),
        None,
    )


def _has(end_offsets: dict[int, int], position: Position) -> bool:
    return end_offsets.get(position.partition, 0) > position.offset
