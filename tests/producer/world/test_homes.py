"""The homes of a world depend on the seed and their number, on nothing else."""

from collections import Counter

from producer.world.homes import build_home
from tests.producer.first_homes import first_homes

HOMES = first_homes()


def test_a_home_is_the_same_every_time() -> None:
    assert build_home(5, 17) == build_home(5, 17)


def test_another_seed_is_another_world() -> None:
    here = {camera.device_id for home in HOMES for camera in home.cameras}
    there = {camera.device_id for n in range(1000) for camera in build_home(2, n).cameras}
    assert not here & there


def test_ids_are_unique() -> None:
    ids = [camera.device_id for home in HOMES for camera in home.cameras]
    ids += [thermostat.device_id for home in HOMES for thermostat in home.thermostats]
    ids += [alarm.device_id for home in HOMES for alarm in home.alarms]
    ids += [home.structure_id for home in HOMES]
    assert len(set(ids)) == len(ids)
    assert all(name.isalnum() and name.isascii() for name in ids)


def test_homes_have_one_to_five_cameras_and_few_have_many() -> None:
    count = Counter(len(home.cameras) for home in HOMES)
    assert sorted(count) == [1, 2, 3, 4, 5]
    assert count[1] > count[2] > count[3] > count[4] > count[5]


def test_the_cameras_of_a_home_look_at_different_spots() -> None:
    for home in HOMES:
        spots = [camera.spot.name for camera in home.cameras]
        assert len(set(spots)) == len(spots)
