"""A home's messages: documents serialised by device, so that a change costs one and not all."""

from typing import NamedTuple

from orjson import Fragment, dumps

from producer.world.changes import Change, ConnectivityChange, EventReport
from producer.world.devices import (
    describe_alarm,
    describe_camera,
    describe_event,
    describe_structure,
    describe_thermostat,
    reading_fields,
)
from producer.world.instants import format_epoch_ms
from producer.world.model import Home
from producer.world.seeded import stable_id
from producer.world.thermostat_readings import Reading


class Message(NamedTuple):
    """The moment of a home's report, its structure_id and its document as UTF-8 JSON."""

    timestamp: int
    key: bytes
    value: bytes


class Document:
    """The full state of one home, as its next message contains it; ``key`` is that message's."""

    def __init__(self, home: Home) -> None:
        self.key = home.structure_id.encode()
        self._home = home
        self._cameras = [describe_camera(home, camera) for camera in home.cameras]
        self._thermostats = [describe_thermostat(home, device) for device in home.thermostats]
        alarms = [describe_alarm(home, alarm) for alarm in home.alarms]
        self._camera_json = {c["device_id"]: Fragment(dumps(c)) for c in self._cameras}
        self._thermostat_json = {t["device_id"]: Fragment(dumps(t)) for t in self._thermostats}
        self._document = {
            "metadata": Fragment(dumps({"access_token": _token(home), "client_version": 1})),
            "devices": {
                "thermostats": self._thermostat_json,
                "smoke_co_alarms": Fragment(dumps({a["device_id"]: a for a in alarms})),
                "cameras": self._camera_json,
                "companyName": "Nest",
            },
            "structures": Fragment(dumps({home.structure_id: describe_structure(home)})),
        }

    def value(self) -> bytes:
        """Return the document as UTF-8 JSON."""
        return dumps(self._document)

    def apply(self, change: Change) -> None:
        """Update the device that has changed."""
        number, update = change.device, change.update
        if isinstance(update, EventReport):
            described, camera = self._cameras[number], self._home.cameras[number]
            described["last_event"] = describe_event(
                camera, described["activity_zones"], update.event, update.is_over
            )
            self._camera_json[camera.device_id] = Fragment(dumps(described))
        elif isinstance(update, ConnectivityChange):
            described = self._cameras[number]
            described["is_online"] = described["is_streaming"] = update.is_online
            described["last_is_online_change"] = format_epoch_ms(update.moment)
            self._camera_json[described["device_id"]] = Fragment(dumps(described))
        elif isinstance(update, Reading):
            described, thermostat = self._thermostats[number], self._home.thermostats[number]
            described.update(reading_fields(thermostat, update))
            self._thermostat_json[thermostat.device_id] = Fragment(dumps(described))


def _token(home: Home) -> str:
    return f"c.{stable_id(f'{home.structure_id} token'.encode(), 30)}"
