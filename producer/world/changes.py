"""The changes in a home that make it send a message."""

from collections.abc import Iterator
from typing import NamedTuple

from producer.world.camera_events import CameraEvent, camera_events
from producer.world.intervals import Interval
from producer.world.model import Camera, Home
from producer.world.outages import outages
from producer.world.thermostat_readings import Reading, readings
from producer.world.time_units import DAY


class EventReport(NamedTuple):
    """What a camera reports of an event, when it is over or, before that, while it goes on."""

    event: CameraEvent
    is_over: bool

    @property
    def moment(self) -> int:
        """Return when the camera reports it."""
        return self.event.end if self.is_over else self.event.start


class ConnectivityChange(NamedTuple):
    """A camera goes offline or comes back online."""

    moment: int
    is_online: bool


Update = EventReport | ConnectivityChange | Reading
"""What is new about a device; each has the ``moment`` from which it is known."""


class Change(NamedTuple):
    """An update of a home's device; changes sort in the order in which they are reported.

    ``reported_at`` is the moment of the report. ``order`` decides between changes that a home
    reports at the same moment. ``device`` is the number of the device among the home's cameras, or
    among its thermostats if the update is a reading.
    """

    reported_at: int
    home: int
    order: int
    device: int
    update: Update


def event_reports(camera: Camera, interval: Interval, since: int = 0) -> Iterator[EventReport]:
    """Yield what a camera reports of an interval's events, in order.

    Events that began before ``since`` are left out.
    """
    for event in camera_events(camera, interval):
        if event.start >= since:
            if event.is_long:
                yield EventReport(event, is_over=False)
            yield EventReport(event, is_over=True)


def connectivity_changes(camera: Camera, interval: Interval) -> Iterator[ConnectivityChange]:
    """Yield when a camera goes offline and comes back in an interval within a day, in order."""
    for outage in outages(camera, interval.start // DAY):
        for moment, is_online in ((outage.start, False), (outage.end, True)):
            if interval.start <= moment < interval.end:
                yield ConnectivityChange(moment, is_online)


def changes(home: Home, interval: Interval, since: int = 0) -> list[Change]:
    """Return all that changes in a home in an interval, from ``since`` on, unsorted."""
    updates: list[tuple[int, Update]] = []
    for device, camera in enumerate(home.cameras):
        updates += [(device, report) for report in event_reports(camera, interval, since)]
        updates += [
            (device, change)
            for change in connectivity_changes(camera, interval)
            if change.moment >= since
        ]
    for device, thermostat in enumerate(home.thermostats):
        updates += [(device, r) for r in readings(thermostat, interval) if r.moment >= since]
    return [
        Change(update.moment + home.delay, home.number, order, device, update)
        for order, (device, update) in enumerate(updates)
    ]
