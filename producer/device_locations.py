"""The table of where each camera is, made from the world that the messages come from."""

import csv
from pathlib import Path

from producer.world.homes import build_home

COLUMNS = ("device_id", "zip_code", "city", "state", "latitude", "longitude")


def write_device_locations(path: Path, seed: int, homes: int) -> None:
    """Write the CSV of a world's cameras, in order of home; a million homes take a minute or two.

    It appears whole or not at all, and its folder is made.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + ".unfinished")
    with unfinished.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        for number in range(homes):
            dwelling = build_home(seed, number)
            at = dwelling.place
            table.writerows(
                (camera.device_id, at.zip_code, at.city, at.state, at.latitude, at.longitude)
                for camera in dwelling.cameras
            )
    unfinished.replace(path)
