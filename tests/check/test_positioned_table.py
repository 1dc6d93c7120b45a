"""A table whose files go while the check reads them."""

from pathlib import Path

import pytest

from check.positioned_table import open_lake_table
from contract.errors import UserError
from tests.sample.lake import append_cameras, camera


def test_files_that_a_newer_version_has_replaced_ask_for_another_check(tmp_path: Path) -> None:
    append_cameras(tmp_path, camera("a", 0))
    table = open_lake_table(str(tmp_path), "camera")
    assert table is not None
    for file in (tmp_path / "camera").glob("*.parquet"):
        file.unlink()
    with pytest.raises(UserError, match="nest repair archive --new-tables"):
        list(table.all_rows())
    append_cameras(tmp_path, camera("b", 1))
    with pytest.raises(
        UserError, match=r"deleted while the check read its version 0.* Check again"
    ):
        list(table.all_rows())


def test_files_that_go_before_they_were_looked_at_ask_for_another_check_too(
    tmp_path: Path,
) -> None:
    append_cameras(tmp_path, camera("a", 0))
    for file in (tmp_path / "camera").glob("*.parquet"):
        file.unlink()
    with pytest.raises(UserError, match="nest repair archive --new-tables"):
        open_lake_table(str(tmp_path), "camera")
    append_cameras(tmp_path, camera("b", 1))
    with pytest.raises(UserError, match=r"deleted while .* version 0, .*it has version 1 now"):
        open_lake_table(str(tmp_path), "camera", version=0)
