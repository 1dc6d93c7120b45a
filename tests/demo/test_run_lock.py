"""What a killed run left running is found and named."""

import fcntl
import json
import os
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from contract.errors import UserError
from demo.stack.exclusive_commands import ExclusiveCommand
from demo.stack.run_lock import RunLock


@pytest.fixture
def sleeper() -> Iterator[int]:
    with subprocess.Popen(["sleep", "60"]) as process:
        yield process.pid
        process.kill()


def test_what_a_killed_run_left_running_is_named_with_what_to_do(
    tmp_path: Path, sleeper: int
) -> None:
    lock = RunLock(tmp_path, ExclusiveCommand.UP)
    lock.add("Pipeline", sleeper)
    expected = f"(?s)was killed.*Pipeline \\(process {sleeper}\\).*kill {sleeper}"
    with pytest.raises(UserError, match=expected), RunLock(tmp_path, ExclusiveCommand.UP).held():
        pass


def test_a_demo_that_runs_is_not_started_twice(tmp_path: Path) -> None:
    with RunLock(tmp_path, ExclusiveCommand.UP).held():
        second = RunLock(tmp_path, ExclusiveCommand.UP)
        with pytest.raises(UserError, match=rf"running already \(process {os.getpid()}\)"):
            second.require_free()


def test_a_process_id_that_is_used_again_by_another_is_no_leftover(
    tmp_path: Path, sleeper: int
) -> None:
    created = psutil.Process(sleeper).create_time() - 60
    (tmp_path / "up.json").write_text(json.dumps({"Pipeline": [sleeper, created]}))
    with RunLock(tmp_path, ExclusiveCommand.UP).held() as lock:
        assert list(lock.alive()) == ["nest up"]
    assert not (tmp_path / "up.json").exists()


@pytest.mark.parametrize(
    "content",
    [
        *("", "{", "[]", "7", '{"nest up": 3}', '{"nest up": [1]}', '{"nest up": ["x", 1]}'),
        *('{"nest up": [-1, 0]}', '{"nest up": [1e400, 0]}', '{"nest up": [99999999999999, 0]}'),
        "\udcff",
    ],
)
def test_a_file_that_is_not_ours_names_no_process(tmp_path: Path, content: str) -> None:
    (tmp_path / "up.json").write_bytes(content.encode(errors="surrogateescape"))
    with RunLock(tmp_path, ExclusiveCommand.UP).held() as lock:
        assert list(lock.alive()) == ["nest up"]


def test_of_many_that_start_at_once_one_gets_it_and_keeps_its_file(tmp_path: Path) -> None:
    count, rounds = 8, 20
    barrier, both = threading.Barrier(count), threading.Lock()
    got: list[int] = []

    def start() -> None:
        for number in range(rounds):
            barrier.wait()
            try:
                with RunLock(tmp_path, ExclusiveCommand.UP).held():
                    with both:
                        got.append(number)
                    barrier.wait()
                    assert RunLock(tmp_path, ExclusiveCommand.UP).alive()
            except UserError:
                barrier.wait()
            barrier.wait()

    with ThreadPoolExecutor(count) as pool:
        list(pool.map(lambda _: start(), range(count)))
    assert got == list(range(rounds))
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_is_only_just_starting_is_known_by_its_lock(tmp_path: Path) -> None:
    with (tmp_path / ".up.json.lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(UserError, match="running already"):
            RunLock(tmp_path, ExclusiveCommand.UP).require_free()
    assert (tmp_path / ".up.json.lock").exists()
