"""Ctrl-C, SIGTERM and a closed terminal all mean the same: stop cleanly."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from contract.stop_signals import stop_signals


class StopSignal(KeyboardInterrupt):
    """One of the signals came; ``signal`` is its number."""

    def __init__(self, signal: int) -> None:
        super().__init__()
        self.signal = signal


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise StopSignal at the first of the signals while the block runs."""
    with _handled_by(_interrupt):
        yield


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let none of the signals cut the block short: it is the one that stops things."""
    with _handled_by(signal.SIG_IGN):
        yield


@contextmanager
def _handled_by(handler: object) -> Iterator[None]:
    before = {number: signal.signal(number, handler) for number in stop_signals()}  # type: ignore[arg-type]
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise StopSignal(number)
