"""Which processes use a folder, kept in a file: the next run finds what a killed run left."""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import psutil

from contract.atomic_write import write_atomically
from contract.errors import UserError
from demo.stack.exclusive_commands import ExclusiveCommand


def lock_file(owner: ExclusiveCommand) -> str:
    """Return the name of the file that a run locks, beside that of its processes."""
    return f".{owner.lock}.lock"


class RunLock:
    """The processes of a run, kept in a file while it lasts.

    A process is identified by its id and its start time, because ids are reused. That no two runs
    begin at once is up to a lock of the operating system, on a file beside it.
    """

    def __init__(self, state: Path, owner: ExclusiveCommand) -> None:
        """Name the folder of the state and the owner."""
        self._file = state / owner.lock
        self._owner = owner
        self._processes: dict[str, tuple[int, float]] = {}

    @contextmanager
    def held(self) -> Iterator["RunLock"]:
        """Hold the lock; UserError, with what to do, if another run holds it."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        lock = self._open_locked()
        try:
            self._require_none_alive()
            self.add(self._owner, psutil.Process().pid)
            try:
                yield self
            finally:
                self._file.unlink(missing_ok=True)
        finally:
            self._lock.unlink(missing_ok=True)
            lock.close()

    def add(self, name: str, pid: int) -> None:
        """Add a process to the file."""
        self._processes[name] = (pid, psutil.Process(pid).create_time())
        write_atomically(self._file, json.dumps(self._processes))

    def require_free(self) -> None:
        """Raise UserError if another run holds the lock, or a process in the file is alive."""
        if self._lock.exists():
            self._open_locked().close()
        self._require_none_alive()

    def alive(self) -> dict[str, int]:
        """Return the ids of the processes in the file that are still alive, by name.

        None are in a file that is not as we write it.
        """
        try:
            processes = {
                name: (int(pid), float(created))
                for name, (pid, created) in json.loads(self._file.read_bytes()).items()
            }
        except (FileNotFoundError, ValueError, TypeError, AttributeError, OverflowError):
            return {}
        return {name: pid for name, (pid, created) in processes.items() if _is_alive(pid, created)}

    @property
    def _lock(self) -> Path:
        return self._file.with_name(lock_file(self._owner))

    def _open_locked(self) -> IO[str]:
        """Return the lock file, locked, and no other than the next run will find there.

        Raises UserError if another run holds it.
        """
        while True:
            file = self._lock.open("a")
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if self._lock.stat().st_ino == os.fstat(file.fileno()).st_ino:
                    return file
            except FileNotFoundError:  # who held it removed it just now
                pass
            except BlockingIOError:
                file.close()
                raise self._running() from None
            file.close()

    def _require_none_alive(self) -> None:
        alive = self.alive()
        if self._owner in alive:
            raise self._running()
        if alive:
            names = ", ".join(f"{name} (process {pid})" for name, pid in alive.items())
            raise UserError(
                f"A `{self._owner}` that was killed has left these running: {names}. "
                f"Stop them, then try again: kill {' '.join(map(str, reversed(alive.values())))}"
            )

    def _running(self) -> UserError:
        process = self.alive().get(self._owner)
        which = f" (process {process})" if process else ""
        return UserError(
            f"`{self._owner}` is running already{which}. Stop it first, with Ctrl-C where it was "
            "started."
        )


def _is_alive(pid: int, created: float) -> bool:
    try:
        process = psutil.Process(pid)
        return abs(process.create_time() - created) < 1 and process.status() != psutil.STATUS_ZOMBIE
    except (psutil.NoSuchProcess, ValueError):
        return False
