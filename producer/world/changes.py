"""What can change in a home, each kind of change with what it says."""

from collections.abc import Iterator
from typing import NamedTuple

from producer.world.activity import Slot
from producer.world.camera_events import Sight, sights
from producer.world.model import Camera, Home
from producer.world.outages import outages
from producer.world.thermostat_readings import Reading, readings
from producer.world.time_units import DAY


class Seen(NamedTuple):
    """A camera saw something; while that goes on it has no end yet."""

    sight: Sight
    is_over: bool

    @property
    def moment(self) -> int:
        """Return when it came to be known."""
        return self.sight.end if self.is_over else self.sight.start


class Online(NamedTuple):
    """A camera came back, or was lost."""

    moment: int
    is_online: bool


class Change(NamedTuple):
    """A piece of news of a home's device, in the order in which reports leave.

    ``report`` is the moment of the report; ``order`` tells changes of one home apart; ``device``
    counts the home's cameras, or its thermostats if the news is a reading.
    """

    report: int
    home: int
    order: int
    device: int
    news: "Seen | Online | Reading"


def seen(camera: Camera, slot: Slot, since: int = 0) -> Iterator[Seen]:
    """Yield what a camera makes known of a slot, in order; what began before ``since`` is not."""
    for sight in sights(camera, slot):
        if sight.start >= since:
            if sight.is_long:
                yield Seen(sight, False)
            yield Seen(sight, True)


def online(camera: Camera, slot: Slot) -> Iterator[Online]:
    """Yield when a camera is lost and comes back in a slot of at most a day, in order."""
    for outage in outages(camera, slot.start // DAY):
        for moment, is_online in ((outage.start, False), (outage.end, True)):
            if slot.start <= moment < slot.end:
                yield Online(moment, is_online)


def changes(home: Home, slot: Slot, since: int = 0) -> list[Change]:
    """Return all that changes in a home in a slot, from ``since`` on, unsorted."""
    news: list[tuple[int, Seen | Online | Reading]] = []
    for device, camera in enumerate(home.cameras):
        news += [(device, sight) for sight in seen(camera, slot, since)]
        news += [(device, state) for state in online(camera, slot) if state.moment >= since]
    for device, thermostat in enumerate(home.thermostats):
        news += [(device, r) for r in readings(thermostat, slot) if r.moment >= since]
    return [
        Change(item.moment + home.delay, home.number, order, device, item)
        for order, (device, item) in enumerate(news)
    ]
