"""A home's document: serialised device by device, so that a change costs one device and not all."""

from orjson import Fragment, dumps

from producer.world import devices
from producer.world.changes import Change, Online, Seen
from producer.world.instants import instant
from producer.world.model import Home
from producer.world.thermostat_readings import Reading


class Document:
    """The full state of one home, as the next message will tell it.

    ``token`` is the home's access token; ``key`` the key of its messages.
    """

    def __init__(self, home: Home, token: str) -> None:
        self.key = home.structure_id.encode()
        self._home = home
        self._cameras = [devices.camera(home, device) for device in home.cameras]
        self._thermostats = [devices.thermostat(home, device) for device in home.thermostats]
        alarms = [devices.alarm(home, device) for device in home.alarms]
        self._camera_json = {c["device_id"]: Fragment(dumps(c)) for c in self._cameras}
        self._thermostat_json = {t["device_id"]: Fragment(dumps(t)) for t in self._thermostats}
        self._whole = {
            "metadata": Fragment(dumps({"access_token": token, "client_version": 1})),
            "devices": {
                "thermostats": self._thermostat_json,
                "smoke_co_alarms": Fragment(dumps({a["device_id"]: a for a in alarms})),
                "cameras": self._camera_json,
                "companyName": "Nest",
            },
            "structures": Fragment(dumps({home.structure_id: devices.structure(home)})),
        }

    def value(self) -> bytes:
        """Return the document as UTF-8 JSON."""
        return dumps(self._whole)

    def apply(self, change: Change) -> None:
        """Take a change in."""
        number, news = change.device, change.news
        if isinstance(news, Seen):
            camera, device = self._cameras[number], self._home.cameras[number]
            camera["last_event"] = devices.last_event(camera, device, news.sight, news.is_over)
            self._camera_json[device.device_id] = Fragment(dumps(camera))
        elif isinstance(news, Online):
            camera = self._cameras[number]
            camera["is_online"] = camera["is_streaming"] = news.is_online
            camera["last_is_online_change"] = instant(news.moment)
            self._camera_json[camera["device_id"]] = Fragment(dumps(camera))
        elif isinstance(news, Reading):
            thermostat, device_ = self._thermostats[number], self._home.thermostats[number]
            thermostat.update(devices.reading(device_, news))
            self._thermostat_json[device_.device_id] = Fragment(dumps(thermostat))
