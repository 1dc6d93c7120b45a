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
