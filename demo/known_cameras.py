"""Which cameras there are, and in which zip code each is: device_locations, read line by line."""

import csv
from collections.abc import Iterator
from pathlib import Path

from contract.errors import UserError
from contract.stats import UNPLACED


def first_device(path: str) -> str | None:
    """Return the first camera of the table; None without one."""
    return next((device_id for device_id, _ in _lines(path)), None)


def zip_code_of(path: str, device_id: str) -> str:
    """Return a camera's zip code; ``unknown`` if the table has none."""
    return next((zip_code for device, zip_code in _lines(path) if device == device_id), UNPLACED)


def _lines(path: str) -> Iterator[tuple[str, str]]:
    """Yield device_id and zip_code; nothing where there is no such file on this machine."""
    if not Path(path).is_file():
        return
    with Path(path).open(encoding="utf-8-sig", newline="") as file:
        try:
            for line in csv.DictReader(file):
                if line.get("device_id"):
                    yield line["device_id"], line.get("zip_code") or UNPLACED
        except (UnicodeDecodeError, csv.Error) as error:
            raise UserError(
                f"NEST_DEVICE_LOCATIONS={path} cannot be read ({error}). Save it as CSV in UTF-8."
            ) from None
