"""The table of device locations is the world's own."""

from pathlib import Path

from producer.device_locations import COLUMNS, write_device_locations
from producer.world.homes import build_home

HOMES = [build_home(1, number) for number in range(1000)]


def test_the_table_of_a_small_world_is_the_beginning_of_a_larger_ones(tmp_path: Path) -> None:
    write_device_locations(tmp_path / "small.csv", seed=5, homes=40)
    write_device_locations(tmp_path / "large.csv", seed=5, homes=400)
    small = (tmp_path / "small.csv").read_text()
    assert (tmp_path / "large.csv").read_text().startswith(small)


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
