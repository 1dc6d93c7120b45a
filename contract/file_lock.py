"""Locks that the operating system keeps on files: they end with the process that holds them."""

import fcntl
from collections.abc import Callable
from pathlib import Path
from typing import IO

PIPELINE_LOCK = "pipeline.lock"
"""The file that a pipeline locks in lake and checkpoints, so that no other works with them."""


def is_file_locked(file: Path, lock: Callable[[IO[str], int], object] = fcntl.flock) -> bool:
    """Tell whether another process holds the lock of a file; False where there is no file.

    ``lock`` is how it is locked: Java's locks are those of ``fcntl.lockf``.
    """
    if not file.exists():
        return False
    with file.open() as opened:
        try:
            lock(opened, fcntl.LOCK_SH | fcntl.LOCK_NB)  # shared by all who only look
        except BlockingIOError:
            return True
    return False
