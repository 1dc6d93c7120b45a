"""The homes of a world: who they are depends on the seed and their number, on nothing else."""

from collections import Counter
from pathlib import Path

import zipcodes

from producer.device_locations import COLUMNS, write_device_locations
from producer.world.homes import build_home
from producer.world.places import HOT_ZIP_CODES, places
from producer.world.residents import residents

HOMES = [build_home(1, number) for number in range(1000)]


def test_a_home_is_the_same_in_a_world_of_any_size(tmp_path: Path) -> None:
    write_device_locations(tmp_path / "small.csv", seed=5, homes=40)
    write_device_locations(tmp_path / "large.csv", seed=5, homes=400)
    small = (tmp_path / "small.csv").read_text()
    assert (tmp_path / "large.csv").read_text().startswith(small)
    assert build_home(5, 17) == build_home(5, 17)


def test_another_seed_is_another_world() -> None:
    here = {camera.device_id for dwelling in HOMES for camera in dwelling.cameras}
    there = {camera.device_id for n in range(1000) for camera in build_home(2, n).cameras}
    assert not here & there


def test_ids_are_unique() -> None:
    ids = [
        device.device_id
        for dwelling in HOMES
        for device in (*dwelling.cameras, *dwelling.thermostats, *dwelling.alarms)
    ]
    ids += [dwelling.structure_id for dwelling in HOMES]
    assert len(set(ids)) == len(ids)
    assert all(name.isalnum() and name.isascii() for name in ids)


def test_homes_have_one_to_five_cameras_and_few_have_many() -> None:
    count = Counter(len(dwelling.cameras) for dwelling in HOMES)
    assert sorted(count) == [1, 2, 3, 4, 5]
    assert count[1] > count[2] > count[3] > count[4] > count[5]


def test_the_cameras_of_a_home_look_at_different_spots() -> None:
    for dwelling in HOMES:
        spots = [camera.spot.name for camera in dwelling.cameras]
        assert len(set(spots)) == len(spots)


def test_three_hot_zip_codes_hold_30_20_and_15_percent_of_the_homes() -> None:
    count = Counter(dwelling.place.zip_code for dwelling in HOMES)
    assert [zip_code for zip_code, _ in count.most_common(3)] == list(HOT_ZIP_CODES)
    for (_, found), expected in zip(count.most_common(3), (0.30, 0.20, 0.15), strict=True):
        assert abs(found / len(HOMES) - expected) < 0.03
    assert len(count) > 50
    assert count.most_common(4)[3][1] < 20


def test_every_place_is_real() -> None:
    for place in places()[0]:
        (real,) = zipcodes.matching(place.zip_code)
        assert (place.city, place.state) == (real["city"], real["state"])
        assert (place.latitude, place.longitude) == (real["lat"], real["long"])


def test_a_home_keeps_its_residents_whoever_was_asked_for_before() -> None:
    first = residents(HOMES[0].structure_id)
    others = {residents(dwelling.structure_id) for dwelling in HOMES[1:50]}
    assert residents(HOMES[0].structure_id) == first
    assert len(others) > 45
    assert first.family
    assert first.street


def test_the_table_in_git_is_the_default_worlds(tmp_path: Path) -> None:
    write_device_locations(tmp_path / "made.csv", seed=1, homes=1000)
    in_git = Path(__file__).parents[2] / "data" / "device_locations.csv"
    assert (tmp_path / "made.csv").read_bytes() == in_git.read_bytes()


def test_the_table_holds_each_camera_once_with_its_zip_code(tmp_path: Path) -> None:
    write_device_locations(tmp_path / "new" / "made.csv", seed=1, homes=1000)
    header, *rows = (tmp_path / "new" / "made.csv").read_text().splitlines()
    assert header.split(",") == list(COLUMNS)
    found = {row.split(",")[0]: row.split(",")[1] for row in rows}
    assert len(found) == len(rows)
    assert found == {c.device_id: h.place.zip_code for h in HOMES for c in h.cameras}
