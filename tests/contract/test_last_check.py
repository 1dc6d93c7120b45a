"""The last verdict is kept in the folder of the state, and nowhere else."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from contract.last_check import LastCheck, keep_last_check, read_last_check

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def test_the_newest_verdict_replaces_the_one_before(tmp_path: Path) -> None:
    assert read_last_check(tmp_path) is None
    keep_last_check(tmp_path, LastCheck(True, NOON))
    verdict = {"holds": False, "comparisons": [{"what": "rows of camera", "holds": False}]}
    newest = LastCheck(False, NOON.replace(hour=13), ("rows of camera",), NOON, verdict)
    keep_last_check(tmp_path, newest)
    assert read_last_check(tmp_path) == newest
    assert [file.name for file in tmp_path.iterdir()] == ["last-check.json"]


def test_no_folder_is_made_for_it(tmp_path: Path) -> None:
    keep_last_check(tmp_path / "state", LastCheck(True, NOON))
    assert list(tmp_path.iterdir()) == []


def test_a_verdict_of_an_older_version_is_read_without_its_lines(tmp_path: Path) -> None:
    text = '{"holds": true, "ended_at": "2026-11-20T12:00:00.000Z", "failed": []}'
    (tmp_path / "last-check.json").write_text(text)
    assert read_last_check(tmp_path) == LastCheck(True, NOON)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"holds": true, "ended_at": "noon"}'])
def test_a_file_that_is_no_verdict_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "last-check.json").write_text(text)
    assert read_last_check(tmp_path) is None
