"""SIGINT and SIGTERM as an event, so that a producer can flush before it ends."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def stop_on_signals() -> Iterator[threading.Event]:
    """Yield an event that SIGINT and SIGTERM set instead of ending the process.

    Python handles signals in the main thread only; in any other thread nothing sets the event.
    """
    stop = threading.Event()

    def request_stop(number: int, frame: FrameType | None) -> None:
        stop.set()

    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    handlers = {
        number: signal.signal(number, request_stop) for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield stop
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
