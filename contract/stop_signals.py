"""The signals that ask a program to stop in order."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


def stop_signals() -> tuple[signal.Signals, ...]:
    """Return Ctrl-C, what a system or Docker sends, and a closed terminal: all mean the same.

    What `nohup` has started goes on when the terminal closes.
    """
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        return (signal.SIGINT, signal.SIGTERM)
    return (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def stop_signals_handled_by(handler: object) -> Iterator[None]:
    """Have all of them call a handler, or what else ``signal.signal`` takes, while the block runs.

    Python takes it from the main thread only.
    """
    before = {number: signal.signal(number, handler) for number in stop_signals()}  # type: ignore[arg-type]
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
