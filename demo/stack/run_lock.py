"""Which processes use a folder, kept in a file: the next run finds what a killed run left."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from contract.errors import UserError


class RunLock:
    """The processes of a run, kept in a file while it lasts.

    A process is identified by its id and its start time, because ids are reused.
    """

    def __init__(self, file: Path, owner: str) -> None:
        """Name the file and the owner, such as ``nest up``."""
        self._file = file
        self._owner = owner
        self._processes: dict[str, tuple[int, float]] = {}

    @contextmanager
    def held(self) -> Iterator["RunLock"]:
        """Hold the lock; UserError, with what to do, if another run holds it."""
        self.require_free()
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self.add(self._owner, psutil.Process().pid)
        try:
            yield self
        finally:
            self._file.unlink(missing_ok=True)

    def add(self, name: str, pid: int) -> None:
        """Add a process to the file."""
        self._processes[name] = (pid, psutil.Process(pid).create_time())
        self._file.write_text(json.dumps(self._processes))

    def require_free(self) -> None:
        """Raise UserError if a process in the file is still alive."""
        alive = self.alive()
        if self._owner in alive:
            raise UserError(
                f"`{self._owner}` is running already (process {alive[self._owner]}). "
                "Stop it with Ctrl-C where it was started, or use it."
            )
        if alive:
            names = ", ".join(f"{name} (process {pid})" for name, pid in alive.items())
            raise UserError(
                f"A `{self._owner}` that was killed has left these running: {names}. "
                f"Stop them, then try again: kill {' '.join(map(str, reversed(alive.values())))}"
            )

    def alive(self) -> dict[str, int]:
        """Return the ids of the processes in the file that are still alive, by name."""
        try:
            processes = json.loads(self._file.read_text())
        except (FileNotFoundError, ValueError):
            return {}
        return {name: pid for name, (pid, created) in processes.items() if _is_alive(pid, created)}


def _is_alive(pid: int, created: float) -> bool:
    try:
        process = psutil.Process(pid)
        return abs(process.create_time() - created) < 1 and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
