"""Which cameras there are, and in which zip code each is: device_locations, read as the check does.

Reading raises UserError where the file, at a path or URI, cannot be read.
"""

from collections.abc import Collection, Iterator
from importlib.util import find_spec

from contract.errors import UserError
from contract.stats import UNPLACED


def first_placed_device(uri: str) -> str | None:
    """Return the first camera of the table that has a zip code; None if none has."""
    return next((device_id for device_id, zip_code in _lines(uri) if zip_code), None)


def zip_codes_of(uri: str, device_ids: Collection[str]) -> dict[str, str]:
    """Return the zip code of each of the cameras; ``unknown`` if the table has none."""
    placed = {device_id: zip_code for device_id, zip_code in _lines(uri) if device_id in device_ids}
    return {device_id: placed.get(device_id) or UNPLACED for device_id in device_ids}


def _lines(uri: str) -> Iterator[tuple[str, str]]:
    """Yield device_id and zip_code."""
    if not find_spec("deltalake"):
        raise UserError(
            f"NEST_DEVICE_LOCATIONS={uri} cannot be read without the packages of the check: pip "
            "install 'nest_camera_analytics[check]'."
        )
    from check.locations import read_locations

    return read_locations(uri)
