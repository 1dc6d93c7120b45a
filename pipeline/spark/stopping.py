"""SIGTERM, Ctrl-C and a closed terminal: the pipeline stops in order, and in a bounded time."""

import signal
import threading
from types import FrameType

from contract.stop_signals import stop_signals
from pipeline.spark.jvm import current_jvm, halt_spark

STOP_LIMIT_S = 11.0
"""How long the whole application may take to stop. `nest up` gives it a second more."""


class Stopping:
    """Is set by the first of the signals; from then on the application has a bounded time.

    What is not done by then is cut off with the JVM. A batch that is cut off is run again at the
    next start, from the same offsets, and written once.
    """

    def __init__(self) -> None:
        self.requested = threading.Event()
        self.signal: int | None = None
        """Which signal it was; None before there was one."""
        self._has_stopped = threading.Event()

    def listen(self) -> None:
        """Take the signals, from the main thread. PySpark takes Ctrl-C when a session starts."""
        if threading.current_thread() is threading.main_thread():
            for number in stop_signals():
                signal.signal(number, self._request)

    def mark_stopped(self) -> None:
        """Say that everything has stopped in time."""
        self._has_stopped.set()

    def _request(self, number: int, frame: FrameType | None) -> None:
        if self.signal is None:
            self.signal = number
            self.requested.set()
            if jvm := current_jvm():
                jvm.silence()
            threading.Thread(target=self._cut_off, name="stop-limit", daemon=True).start()

    def _cut_off(self) -> None:
        """Kill the JVM at the time limit; if none runs yet, as soon as one starts."""
        wait = STOP_LIMIT_S
        while not self._has_stopped.wait(wait):
            wait = 0.2
            halt_spark()
