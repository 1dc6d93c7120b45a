"""The cameras and their zip codes are read from a path and from a URI alike."""

from pathlib import Path

import pytest

from contract.errors import UserError
from demo.tables.known_cameras import first_placed_device, zip_codes_of


@pytest.mark.parametrize("prefix", ["", "file://"])
def test_a_camera_is_found_at_a_path_and_at_a_uri(tmp_path: Path, prefix: str) -> None:
    file = tmp_path / "locations.csv"
    file.write_text("device_id,zip_code\nb,\nz,01002\na,94304\n")
    uri = f"{prefix}{file}"
    assert first_placed_device(uri) == "z"
    assert zip_codes_of(uri, ["b", "z", "c"]) == {"b": "unknown", "z": "01002", "c": "unknown"}


def test_what_cannot_be_read_places_no_camera(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="There is no file"):
        zip_codes_of(f"file://{tmp_path}/nothing.csv", ["a"])
