"""What the check says of device locations that it cannot read."""

from pathlib import Path

import pytest

from check.locations import read_locations
from contract.errors import UserError


def test_a_file_that_is_not_there_is_named_in_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError) as error:
        list(read_locations("data/device_locations.csv"))
    file = tmp_path / "data/device_locations.csv"
    assert str(error.value) == f"There is no file {file} (NEST_DEVICE_LOCATIONS)."


def test_a_file_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "devices.csv"
    file.write_bytes(b"device_id,zip_code\nk\xfcche,94301\n")
    with pytest.raises(UserError, match=r"NEST_DEVICE_LOCATIONS=.* Save it as CSV in UTF-8"):
        list(read_locations(str(file)))
