"""Ctrl-C, SIGTERM and a closed terminal all mean the same: stop cleanly."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from contract.errors import Interrupted
from contract.stop_signals import stop_signals_handled_by


class StopSignal(KeyboardInterrupt):
    """One of the signals came; ``signal`` is its number."""

    def __init__(self, signal: int) -> None:
        super().__init__()
        self.signal = signal


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise StopSignal at the first of the signals while the block runs."""
    with stop_signals_handled_by(_interrupt):
        yield


@contextmanager
def interruptible_as(message: str) -> Iterator[None]:
    """Raise Interrupted with this message at the first of the signals while the block runs.

    Spark handles Ctrl-C itself while it runs, and raises a plain KeyboardInterrupt.
    """
    try:
        with interruptible():
            yield
    except KeyboardInterrupt as stop:
        number = stop.signal if isinstance(stop, StopSignal) else signal.SIGINT
        raise Interrupted(message, number) from None


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let none of the signals cut the block short: it is the one that stops things."""
    with stop_signals_handled_by(signal.SIG_IGN):
        yield


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise StopSignal(number)
