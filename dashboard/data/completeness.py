"""Up to which moment the counts have every message, and how many they have until then."""

from datetime import datetime
from typing import NamedTuple

from contract.kafka.log_offsets import has_reached
from contract.queries import Query
from dashboard.data.background_value import Snapshot
from dashboard.data.live_view import LiveView

_READ_SECONDS = 0.1
"""What a read takes: nothing is known to be complete to a later moment."""


def seconds_behind(complete: datetime, now: datetime) -> float:
    """Return how long ago the counts were complete."""
    return max(_READ_SECONDS, (now - complete).total_seconds())


def complete_until(live: Snapshot[LiveView]) -> datetime | None:
    """Return the newest moment (UTC) whose messages in Kafka are all counted; None if unknown.

    If Kafka does not answer, the moment stays the same. Once there are messages, a moment before
    the first one tells nothing: none of them may be counted.
    """
    view = live.value
    if view is None or Query.STATS not in view.progress:
        return None
    committed = view.committed(Query.STATS)
    fewest = min(1, view.messages)
    known = [each for each in (view.last_complete, *view.samples) if each]
    complete = (each for each in known if has_reached(committed, each.end_offsets))
    return max((each.time for each in complete if each.messages >= fewest), default=None)


class CatchingUp(NamedTuple):
    """How many messages are counted so far, and how many are in Kafka."""

    counted: int
    messages: int


def how_complete(live: Snapshot[LiveView], now: datetime) -> datetime | CatchingUp | None:
    """Return the moment of ``complete_until``.

    Until it is known, return how far the counts are with messages that came before anybody looked;
    None while the query does not run.
    """
    view = live.value
    if view is None:
        return None
    if (moment := complete_until(live)) is not None:
        return moment
    progress = view.progress.get(Query.STATS)
    if progress is None or progress.state != "running" or view.silent_for(Query.STATS, now):
        return None
    return CatchingUp(view.messages - view.lag(Query.STATS), view.messages)
