"""The messages of all homes of a world, in the order of simulated time."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Protocol, TypeVar

from producer.world.activity import day_of, hour_of
from producer.world.changes import Change, changes, connectivity_changes, event_reports
from producer.world.documents import Document, Message
from producer.world.homes import MAX_DELAY
from producer.world.intervals import Activity, Interval
from producer.world.model import Home
from producer.world.outages import MAX_DAYS
from producer.world.thermostat_readings import readings
from producer.world.time_units import DAY, HOUR
from producer.world.timeline import Timeline


def generate(
    homes: Sequence[Home], timeline: Timeline, since: int | None = None
) -> Iterator[Message]:
    """Yield a timeline's messages, endlessly.

    With ``since`` only those from that moment on; they are the same, byte for byte.
    """
    since = max(since or 0, timeline.start)
    activity = timeline.activity()
    documents = [Document(home) for home in homes]
    for home, document in zip(homes, documents, strict=True):
        for change in _latest_changes(home, timeline, activity, since):
            document.apply(change)
    interval = activity(max(since - MAX_DELAY, timeline.start))
    waiting: list[Change] = []
    while True:
        waiting += [c for home in homes for c in changes(home, interval, timeline.start)]
        waiting.sort()
        due = bisect_left(waiting, (interval.end,))
        for change in waiting[:due]:
            if change.reported_at >= since:
                document = documents[change.home]
                document.apply(change)
                yield Message(change.reported_at, document.key, document.value())
        waiting = waiting[due:]
        interval = activity(interval.end)


def start_for(
    homes: Sequence[Home],
    messages: int,
    now: int,
    earliest: int,
    check: Callable[[int], None] = lambda done: None,
) -> int:
    """Return the latest whole hour from which on there are so many messages before ``now``.

    It looks no further back than just before ``earliest``. ``check`` is called with the number of
    messages found so far; what it raises ends the search.
    """
    interval = hour_of(now - MAX_DELAY - HOUR)
    found = _count(homes, interval)
    while found < messages and interval.start >= earliest:
        check(found)
        interval = hour_of(interval.start - 1)
        found += _count(homes, interval)
    return interval.start


def _count(homes: Sequence[Home], interval: Interval) -> int:
    return sum(len(changes(home, interval)) for home in homes)


class _HasMoment(Protocol):
    @property
    def moment(self) -> int: ...


U = TypeVar("U", bound=_HasMoment)


def _latest_changes(
    home: Home, timeline: Timeline, activity: Activity, before: int
) -> Iterator[Change]:
    """Yield the latest change of each kind that a home has reported before a moment."""
    before -= home.delay
    start = timeline.start
    for device, camera in enumerate(home.cameras):
        # Nothing from before the timeline is reported, but a camera may be offline at its start.
        earliest = start - MAX_DAYS * DAY
        online = partial(connectivity_changes, camera)
        for change in _latest(online, day_of, earliest, max(before, start)):
            yield Change(0, home.number, 0, device, change)
        reports = partial(event_reports, camera, since=start)
        for report in _latest(reports, activity, start, before):
            yield Change(0, home.number, 0, device, report)
    for device, thermostat in enumerate(home.thermostats):
        for reading in _latest(partial(readings, thermostat), activity, start, before):
            yield Change(0, home.number, 0, device, reading)


def _latest(
    updates_in: Callable[[Interval], Iterable[U]], activity: Activity, start: int, end: int
) -> Iterator[U]:
    """Yield the last update from ``start`` to before ``end``, if there is one.

    It looks back interval by interval.
    """
    moment = end - 1
    while moment >= start:
        interval = activity(moment)
        found = [update for update in updates_in(interval) if start <= update.moment < end]
        if found:
            yield found[-1]
            return
        moment = interval.start - 1
