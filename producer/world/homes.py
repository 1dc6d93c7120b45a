"""The homes of a world and the devices in them: home number i is a function of seed and i only."""

from dataclasses import dataclass
from itertools import accumulate

from producer.world.places import Place, place
from producer.world.seeded import draws, ident, pick

CAMERAS = (1, 2, 3, 4, 5)
CAMERA_SHARES = tuple(accumulate((0.45, 0.30, 0.15, 0.07, 0.03)))

# Who has many cameras has fewer other devices and no video history (which Nest sells by the
# camera): a home's document stays between 2 and 6 kB.
OTHER_DEVICES = {
    1: ((1, 1), (1, 2), (1, 1), (2, 1)),
    2: ((1, 0), (1, 1), (0, 1), (1, 1)),
    3: ((1, 0), (0, 1), (0, 2), (0, 1)),
    4: ((0, 1), (0, 1), (0, 1), (0, 0)),
    5: ((0, 0), (0, 0), (0, 0), (0, 0)),
}
"""Numbers of thermostats and smoke/CO alarms, four equally likely kinds by number of cameras."""
MOST_WITH_HISTORY = 3


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in or around a home where a camera may look.

    ``people`` and ``others`` (cars, pets, branches in the wind) pass it so many times a day.
    """

    name: str
    outdoors: bool
    people: float
    others: float


SPOTS = (
    Spot("Front Door", True, 42, 10),
    Spot("Living Room", False, 38, 6),
    Spot("Entryway", False, 34, 3),
    Spot("Driveway", True, 26, 14),
    Spot("Kitchen", False, 34, 4),
    Spot("Backyard", True, 18, 14),
    Spot("Hallway", False, 28, 4),
    Spot("Garage", False, 16, 4),
    Spot("Patio", True, 20, 9),
    Spot("Office", False, 24, 3),
)
FIRST_SPOTS = 3
"""A home's first camera looks at one of the first spots."""

SOME_TROUBLE, MUCH_TROUBLE = 0.03, 0.35
"""How many times a day a camera goes offline: most cameras, and those with a bad connection."""
SHARE_IN_MUCH_TROUBLE = 0.05

SHORTEST_DELAY, LONGEST_DELAY = 800, 4000
"""Milliseconds from a change in a home to its report."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera; ``liveliness`` scales what passes it, ``trouble`` is in outages a day.

    Only with ``video_history`` it has activity zones and its events have images, as with Nest.
    """

    device_id: str
    spot: Spot
    liveliness: float
    trouble: float
    video_history: bool

    @property
    def seed(self) -> bytes:
        """Return the name under which the camera's life is drawn."""
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
    """A home; ``delay`` is how many milliseconds after a change its report leaves."""

    number: int
    structure_id: str
    place: Place
    delay: int
    cameras: tuple[Camera, ...]
    thermostats: tuple[Thermostat, ...]
    alarms: tuple[Alarm, ...]


def home(seed: int, number: int) -> Home:
    """Build home ``number`` of the world ``seed``."""
    name = b"world %d home %d" % (seed, number)
    chance = draws(name)
    where = place(next(chance))
    count = pick(CAMERAS, CAMERA_SHARES, next(chance))
    thermostats, alarms = OTHER_DEVICES[count][int(4 * next(chance))]
    liveliness = 0.5 + next(chance)
    target = 18 + int(8 * next(chance)) / 2
    history = next(chance) < 0.7 and count <= MOST_WITH_HISTORY
    delay = SHORTEST_DELAY + int((LONGEST_DELAY - SHORTEST_DELAY) * next(chance))
    spots = list(SPOTS)
    first = spots.pop(int(FIRST_SPOTS * next(chance)))
    chosen = [first, *(spots.pop(int(len(spots) * next(chance))) for _ in range(count - 1))]
    return Home(
        number,
        ident(name + b" structure"),
        where,
        delay,
        tuple(
            Camera(
                ident(b"%s camera %d" % (name, i)),
                spot,
                liveliness,
                MUCH_TROUBLE if next(chance) < SHARE_IN_MUCH_TROUBLE else SOME_TROUBLE,
                history,
            )
            for i, spot in enumerate(chosen)
        ),
        tuple(
            Thermostat(ident(b"%s thermostat %d" % (name, i)), room, target)
            for i, room in enumerate(("Living Room", "Upstairs")[:thermostats])
        ),
        tuple(
            Alarm(ident(b"%s alarm %d" % (name, i)), room)
            for i, room in enumerate(("Kitchen", "Bedroom")[:alarms])
        ),
    )
