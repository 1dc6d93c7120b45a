"""What a killed run left running is found and named."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from contract.errors import UserError
from demo.stack.run_lock import RunLock


@pytest.fixture
def sleeper() -> Iterator[int]:
    with subprocess.Popen(["sleep", "60"]) as process:
        yield process.pid
        process.kill()


def test_what_a_killed_run_left_running_is_named_with_what_to_do(
    tmp_path: Path, sleeper: int
) -> None:
    lock = RunLock(tmp_path / "up.json", "nest up")
    lock.add("Pipeline", sleeper)
    expected = f"(?s)was killed.*Pipeline \\(process {sleeper}\\).*kill {sleeper}"
    with pytest.raises(UserError, match=expected), RunLock(tmp_path / "up.json", "nest up").held():
        pass


def test_a_demo_that_runs_is_not_started_twice(tmp_path: Path) -> None:
    with RunLock(tmp_path / "up.json", "nest up").held():
        second = RunLock(tmp_path / "up.json", "nest up")
        with pytest.raises(UserError, match=rf"running already \(process {os.getpid()}\)"):
            second.require_free()


def test_a_process_id_that_is_used_again_by_another_is_no_leftover(
    tmp_path: Path, sleeper: int
) -> None:
    created = psutil.Process(sleeper).create_time() - 60
    (tmp_path / "up.json").write_text(json.dumps({"Pipeline": [sleeper, created]}))
    with RunLock(tmp_path / "up.json", "nest up").held() as lock:
        assert list(lock.alive()) == ["nest up"]
    assert not (tmp_path / "up.json").exists()
