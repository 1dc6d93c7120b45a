"""What a world consists of: homes, the places where they stand, and the devices in them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A zip code with its city and the coordinates of its centre."""

    zip_code: str
    city: str
    state: str
    latitude: str
    longitude: str


@dataclass(frozen=True, slots=True)
class Spot:
    """What a camera looks at, in or around a home.

    ``people_per_day`` and ``others_per_day`` (cars, pets, branches in the wind) are averages.
    """

    name: str
    is_outdoors: bool
    people_per_day: float
    others_per_day: float


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera; ``people_factor`` says how many times the usual number of people pass it.

    Only a camera that ``has_video_history`` has activity zones and images of its events, as with
    Nest.
    """

    device_id: str
    spot: Spot
    people_factor: float
    outages_per_day: float
    has_video_history: bool

    @property
    def seed(self) -> bytes:
        """Return the name from which everything that happens to the camera is drawn."""
        return self.device_id.encode()


@dataclass(frozen=True, slots=True)
class Thermostat:
    """A thermostat and the temperature, in °C, that it keeps."""

    device_id: str
    room: str
    target: float


@dataclass(frozen=True, slots=True)
class Alarm:
    """A smoke and CO alarm."""

    device_id: str
    room: str


@dataclass(frozen=True, slots=True)
class Home:
    """A home; it reports a change ``delay`` milliseconds after it happened."""

    number: int
    structure_id: str
    place: Place
    delay: int
    cameras: tuple[Camera, ...]
    thermostats: tuple[Thermostat, ...]
    alarms: tuple[Alarm, ...]
