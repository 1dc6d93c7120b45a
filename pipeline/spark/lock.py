"""One pipeline at a time on the same checkpoints."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from contract.errors import UserError
from contract.settings import Settings

LOCK_FILE = "pipeline.lock"


@contextmanager
def pipeline_lock(settings: Settings) -> Iterator[None]:
    """Hold the lock of the checkpoints; UserError if another process holds it.

    The operating system frees it when the process ends, however it ends. It works between the
    containers of one machine, too. Checkpoints given as a URI have no lock: there whoever starts
    the application has to see that only one runs.
    """
    if "://" in settings.checkpoints:
        yield
        return
    folder = Path(settings.checkpoints)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK_FILE).open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise UserError(
                f"Another pipeline works with the checkpoints in {settings.checkpoints} (process "
                f"{file.read().strip() or 'unknown'}). Stop it first, or set NEST_CHECKPOINTS."
            ) from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def is_locked(settings: Settings) -> bool:
    """Return whether a pipeline, or a command that excludes one, works with the checkpoints."""
    if "://" in settings.checkpoints:
        return False
    file = Path(settings.checkpoints) / LOCK_FILE
    if not file.exists():
        return False
    with file.open("a") as opened:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
