"""Whether somebody holds the lock of a file, asked by several at the same time."""

import fcntl
from pathlib import Path
from typing import IO

from contract.file_lock import is_file_locked


def test_who_only_looks_does_not_look_like_a_holder(tmp_path: Path) -> None:
    file, found = tmp_path / "pipeline.lock", []

    def look_twice(opened: IO[str], flags: int) -> None:
        fcntl.flock(opened, flags)
        found.append(is_file_locked(file))

    file.touch()
    assert not is_file_locked(file, look_twice)
    assert found == [False]


def test_a_holder_is_found(tmp_path: Path) -> None:
    file = tmp_path / "pipeline.lock"
    assert not is_file_locked(file)
    with file.open("a+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert is_file_locked(file)
    assert not is_file_locked(file)
