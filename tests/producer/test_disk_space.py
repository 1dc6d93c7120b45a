"""A producer stops before the disk is full."""

from pathlib import Path

import pytest

from contract.errors import UserError
from producer.disk_space import require_free_disk


def test_a_disk_with_enough_space_is_no_error_even_for_a_folder_that_does_not_exist(
    tmp_path: Path,
) -> None:
    require_free_disk(tmp_path / "not" / "there", min_free=1)


def test_a_disk_that_is_nearly_full_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"GB of disk are free at .*nest reset"):
        require_free_disk(tmp_path / "not" / "there", min_free=1 << 60)
