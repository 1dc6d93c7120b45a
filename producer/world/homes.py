"""The homes of a world: home number i is a function of the seed and i only."""

from itertools import accumulate

from producer.world.model import Alarm, Camera, Home, Spot, Thermostat
from producer.world.places import choose_place
from producer.world.seeded import stable_id, uniforms, weighted_choice

CAMERAS = (1, 2, 3, 4, 5)
CAMERA_SHARES = tuple(accumulate((0.45, 0.30, 0.15, 0.07, 0.03)))

# A home with many cameras has fewer other devices and no video history (which Nest sells by the
# camera), so that every home's document has between 2 and 6 kB.
OTHER_DEVICES = {
    1: ((1, 1), (1, 2), (1, 1), (2, 1)),
    2: ((1, 0), (1, 1), (0, 1), (1, 1)),
    3: ((1, 0), (0, 1), (0, 2), (0, 1)),
    4: ((0, 1), (0, 1), (0, 1), (0, 0)),
    5: ((0, 0), (0, 0), (0, 0), (0, 0)),
}
"""Numbers of thermostats and smoke/CO alarms by number of cameras: four equally likely pairs."""
MAX_CAMERAS_WITH_HISTORY = 3

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
"""A home's first camera looks at one of the first so many spots."""

OUTAGES_PER_DAY = 0.03
OUTAGES_PER_DAY_ON_A_BAD_CONNECTION = 0.35
SHARE_ON_A_BAD_CONNECTION = 0.05

MIN_DELAY, MAX_DELAY = 800, 4000
"""Milliseconds from a change in a home to its report."""


def build_home(seed: int, number: int) -> Home:
    """Build home ``number`` of the world ``seed``."""
    name = b"world %d home %d" % (seed, number)
    draws = uniforms(name)  # their order decides what the home is: keep it
    place = choose_place(next(draws))
    count = weighted_choice(CAMERAS, CAMERA_SHARES, next(draws))
    thermostats, alarms = OTHER_DEVICES[count][int(4 * next(draws))]
    people_factor = 0.5 + next(draws)
    target = 18 + int(8 * next(draws)) / 2
    has_video_history = next(draws) < 0.7 and count <= MAX_CAMERAS_WITH_HISTORY
    delay = MIN_DELAY + int((MAX_DELAY - MIN_DELAY) * next(draws))
    spots = list(SPOTS)
    first = spots.pop(int(FIRST_SPOTS * next(draws)))
    chosen = [first, *(spots.pop(int(len(spots) * next(draws))) for _ in range(count - 1))]
    return Home(
        number,
        stable_id(name + b" structure"),
        place,
        delay,
        tuple(
            Camera(
                stable_id(b"%s camera %d" % (name, i)),
                spot,
                people_factor,
                OUTAGES_PER_DAY_ON_A_BAD_CONNECTION
                if next(draws) < SHARE_ON_A_BAD_CONNECTION
                else OUTAGES_PER_DAY,
                has_video_history,
            )
            for i, spot in enumerate(chosen)
        ),
        tuple(
            Thermostat(stable_id(b"%s thermostat %d" % (name, i)), room, target)
            for i, room in enumerate(("Living Room", "Upstairs")[:thermostats])
        ),
        tuple(
            Alarm(stable_id(b"%s alarm %d" % (name, i)), room)
            for i, room in enumerate(("Kitchen", "Bedroom")[:alarms])
        ),
    )
