"""The table of device locations is the world's own."""

import signal
from pathlib import Path

import pytest

from contract.errors import UserError
from contract.polling import poll_until
from producer.device_locations import COLUMNS, write_device_locations
from tests.fixtures.nest_command import nest_process
from tests.producer.first_homes import first_homes

HOMES = first_homes()


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


def test_only_a_table_of_device_locations_is_written_over(tmp_path: Path) -> None:
    table, mine = tmp_path / "table.csv", tmp_path / "mine.csv"
    table.touch()
    write_device_locations(table, seed=1, homes=2)
    write_device_locations(table, seed=1, homes=3)
    mine.write_text("device_id,zip_code\na,94304\n")
    for path in (mine, tmp_path):
        with pytest.raises(UserError, match="is no table of device locations"):
            write_device_locations(path, seed=1, homes=2)
    assert mine.read_text() == "device_id,zip_code\na,94304\n"
    assert {path.name for path in tmp_path.iterdir()} == {"table.csv", "mine.csv"}


def test_a_signal_leaves_nothing_unfinished(tmp_path: Path) -> None:
    log, folder = tmp_path / "log", tmp_path / "tables"
    folder.mkdir()
    command = ("device-locations", str(folder / "x.csv"), "--homes", "1000000")
    with nest_process(*command, log=log) as process:
        poll_until(lambda: any(folder.iterdir()), "the unfinished table", 60)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 128 + signal.SIGTERM
    assert "Stopped: " in log.read_text()
    assert list(folder.iterdir()) == []
