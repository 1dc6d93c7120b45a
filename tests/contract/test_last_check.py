"""The last verdict is kept in the folder of the state, and nowhere else."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from contract.last_check import LastCheck, keep_last_check, read_last_check
from contract.verdict import Comparison, InjectedDirt, Verdict
from tests.sample.verdicts import HOLDS

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
CHECK = LastCheck(NOON, NOON + timedelta(seconds=9), HOLDS)


def test_the_newest_verdict_replaces_the_one_before(tmp_path: Path) -> None:
    assert read_last_check(tmp_path) is None
    keep_last_check(tmp_path, CHECK)
    verdict = Verdict(
        [Comparison("rows of camera", "1", "2", False, ["offset 7"])],
        ["a note"],
        [InjectedDirt("late", "counted", 3, 2)],
        values=5,
    )
    newest = LastCheck(NOON.replace(hour=13), NOON.replace(hour=14), verdict)
    keep_last_check(tmp_path, newest)
    assert read_last_check(tmp_path) == newest
    assert [file.name for file in tmp_path.iterdir()] == ["last-check.json"]
    assert json.loads((tmp_path / "last-check.json").read_text())["verdict"]["holds"] is False


def test_no_folder_is_made_for_it(tmp_path: Path) -> None:
    keep_last_check(tmp_path / "state", CHECK)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"started_at": "noon", "ended_at": "noon", "verdict": {"comparisons": []}}',
        '{"started_at": "2026-11-20T12:00:00.000Z", "ended_at": "2026-11-20T12:00:09.000Z"}',
        '{"holds": true, "ended_at": "2026-11-20T12:00:00.000Z", "failed": []}',
    ],
)
def test_a_file_that_is_no_verdict_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "last-check.json").write_text(text)
    assert read_last_check(tmp_path) is None
