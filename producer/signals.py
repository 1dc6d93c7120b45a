"""SIGTERM, Ctrl-C and a closed terminal as an event: a producer can flush before it ends."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from contract.stop_signals import stop_signals_handled_by

STOP_LIMIT_S = 10.0
"""How long the last records may take when the producer is told to stop, and Kafka is away."""


class StopEvent(threading.Event):
    """Is set by the first of the signals; ``signal`` is its number."""

    signal: int = signal.SIGTERM


@contextmanager
def stop_on_signals(limit: float = STOP_LIMIT_S) -> Iterator[StopEvent]:
    """Yield an event that the signals set instead of ending the process.

    The process ends all the same if the block is not left within ``limit`` seconds. Python handles
    signals in the main thread only; in any other thread nothing sets the event.
    """
    stop, is_over = StopEvent(), threading.Event()

    def end_at_limit() -> None:
        if not is_over.wait(limit):
            sys.stderr.write(
                f"Kafka has not taken the last records within {limit:g} s. The next start sends "
                "them again, apart from late messages that were held back.\n"
            )
            sys.stderr.flush()
            os._exit(1)

    def request_stop(number: int, frame: FrameType | None) -> None:
        if not stop.is_set():
            stop.signal = number
            stop.set()
            threading.Thread(target=end_at_limit, name="stop-limit", daemon=True).start()

    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    with stop_signals_handled_by(request_stop):
        try:
            yield stop
        finally:
            is_over.set()
