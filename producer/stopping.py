"""Stop when asked to, and before the disk is full."""

import shutil
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from contract.errors import UserError

LEAST_FREE = 2 * 10**9
"""Bytes that stay free on the disk."""


@contextmanager
def stop_on_signals() -> Iterator[threading.Event]:
    """Give an event that SIGINT and SIGTERM set instead of ending the process.

    Outside of the main thread, where Python handles no signals, it is only an event.
    """
    stop = threading.Event()

    def ask(number: int, frame: FrameType | None) -> None:
        stop.set()

    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def require_free_disk(folder: Path, least: int | None = None) -> None:
    """Raise UserError when too few bytes are free where a folder is, or would be."""
    least = LEAST_FREE if least is None else least
    existing = next(f for f in (folder.absolute(), *folder.absolute().parents) if f.exists())
    free = shutil.disk_usage(existing).free
    if free < least:
        raise UserError(
            f"Only {free / 1e9:.1f} GB of disk are free at {existing}; the producer stops below "
            f"{least / 1e9:.0f} GB. Free some, or remove what runs left behind with `nest reset`."
        )
