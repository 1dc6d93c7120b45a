"""The table of where each camera is, for the same world that the messages come from."""

import csv
from pathlib import Path

from contract.atomic_write import open_atomically
from contract.errors import UserError
from producer.world.homes import build_home

COLUMNS = ("device_id", "zip_code", "city", "state", "latitude", "longitude")


def write_device_locations(path: Path, seed: int, homes: int) -> None:
    """Write the CSV of a world's cameras, in order of home; a million homes take a minute or two.

    The file appears only when it is complete. Its folder is created if need be. Raises UserError
    for a path that has something else than such a table.
    """
    _require_table_or_nothing(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with open_atomically(path) as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        for number in range(homes):
            home = build_home(seed, number)
            at = home.place
            table.writerows(
                (camera.device_id, at.zip_code, at.city, at.state, at.latitude, at.longitude)
                for camera in home.cameras
            )


def _require_table_or_nothing(path: Path) -> None:
    if not path.exists():
        return
    header = ",".join(COLUMNS).encode()
    first_line = b"no file"
    if path.is_file():
        with path.open("rb") as file:
            first_line = file.readline(len(header) + 2)
    if first_line and first_line.rstrip(b"\r\n") != header:
        raise UserError(
            f"{path} is there, and is no table of device locations. Name another file, or remove "
            "it first."
        )
