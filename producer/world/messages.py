"""A story told: the messages of all homes, in the order of simulated time."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Protocol, TypeVar

from producer.world.activity import Rhythm, Slot, day_of, hour_of
from producer.world.changes import Change, changes, online, seen
from producer.world.documents import Document
from producer.world.homes import MAX_DELAY
from producer.world.message import Message
from producer.world.model import Home
from producer.world.outages import LONGEST_DAYS
from producer.world.thermostat_readings import readings
from producer.world.time_units import DAY, HOUR
from producer.world.timeline import Story


def tell(homes: Sequence[Home], story: Story, begin: int | None = None) -> Iterator[Message]:
    """Yield a story's messages, endlessly; from the moment ``begin`` on they are the same ones."""
    begin = max(begin or 0, story.start)
    rhythm = story.rhythm()
    documents = [Document(home, story.token(home)) for home in homes]
    for home, document in zip(homes, documents, strict=True):
        for change in _so_far(home, story, rhythm, begin):
            document.apply(change)
    slot = rhythm(max(begin - MAX_DELAY, story.start))
    waiting: list[Change] = []
    while True:
        waiting += [c for home in homes for c in changes(home, slot, story.start)]
        waiting.sort()
        due = bisect_left(waiting, (slot.end,))
        for change in waiting[:due]:
            if change.report >= begin:
                document = documents[change.home]
                document.apply(change)
                yield Message(change.report, document.key, document.value())
        waiting = waiting[due:]
        slot = rhythm(slot.end)


def start_for(homes: Sequence[Home], messages: int, now: int) -> int:
    """Return the latest whole hour from which so many messages are told before ``now``."""
    slot = hour_of(now - MAX_DELAY - HOUR)
    left = messages - _count(homes, slot)
    while left > 0:
        slot = hour_of(slot.start - 1)
        left -= _count(homes, slot)
    return slot.start


def _count(homes: Sequence[Home], slot: Slot) -> int:
    return sum(len(changes(home, slot)) for home in homes)


class _News(Protocol):
    @property
    def moment(self) -> int: ...


N = TypeVar("N", bound=_News)


def _so_far(home: Home, story: Story, rhythm: Rhythm, begin: int) -> Iterator[Change]:
    """Yield the newest news of each kind that a home has reported before ``begin``."""
    known = begin - home.delay
    for device, camera in enumerate(home.cameras):
        # What was before the story is not told, but a camera may be offline when it begins.
        earlier = story.start - LONGEST_DAYS * DAY
        for state in _newest(partial(online, camera), day_of, earlier, max(known, story.start)):
            yield Change(0, home.number, 0, device, state)
        told = partial(seen, camera, since=story.start)
        for sight in _newest(told, rhythm, story.start, known):
            yield Change(0, home.number, 0, device, sight)
    for device, thermostat in enumerate(home.thermostats):
        for read in _newest(partial(readings, thermostat), rhythm, story.start, known):
            yield Change(0, home.number, 0, device, read)


def _newest(
    news_of: Callable[[Slot], Iterable[N]], rhythm: Rhythm, start: int, end: int
) -> Iterator[N]:
    """Yield the newest news from ``start`` to before ``end``, if any, looking back slot by slot."""
    moment = end - 1
    while moment >= start:
        slot = rhythm(moment)
        found = [news for news in news_of(slot) if start <= news.moment < end]
        if found:
            yield found[-1]
            return
        moment = slot.start - 1
