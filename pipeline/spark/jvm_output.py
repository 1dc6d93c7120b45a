"""What Spark's Java process writes to its standard error, and what is said of its end."""

import os
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress

from pipeline.spark.failure_advice import LEAVE_THE_HEAP
from pipeline.spark.failures import root_cause

_OUT_OF_MEMORY = 3
"""The exit code of a JVM that runs with ExitOnOutOfMemoryError."""
_KILLED = -9
_INCUBATOR = "WARNING: Using incubator modules"
"""Java says so at every start; Spark asks for them on purpose."""
_TRACEBACK = "Traceback (most recent call last):"
_DAEMON = "/pyspark/daemon.py"
_READER_HAS_GONE = ("BrokenPipeError", "ConnectionResetError")
_NEXT_TRACE = ("\n", "During handling of the above exception, another exception occurred:\n")
"""What stands between two stack traces of one failure."""


def without_noise(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines that may tell a person something, each as soon as it has come.

    A Python worker whose task has ended early finds that nobody reads what it writes, and PySpark's
    daemon prints its stack trace. Why the task has ended is said elsewhere.
    """
    trace: list[str] = []
    is_after_noise = False
    for line in lines:
        if trace or line.startswith(_TRACEBACK):
            trace.append(line)
            if line.startswith((_TRACEBACK, " ")):
                continue
            of_daemon = any(_DAEMON in each for each in trace)
            is_after_noise = of_daemon and line.startswith(_READER_HAS_GONE)
            if not is_after_noise:
                yield from trace
            trace = []
        elif not (line.startswith(_INCUBATOR) or (is_after_noise and line in _NEXT_TRACE)):
            is_after_noise = False
            yield line
    yield from trace


class JvmOutput(threading.Thread):
    """Passes on what the JVM writes to its standard error, and keeps the last lines."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(name="jvm-output", daemon=True)
        self._descriptor = descriptor
        self._lock = threading.Lock()
        self._last: deque[str] = deque(maxlen=100)
        self.is_shown = False
        self.start()

    def run(self) -> None:
        """Read until the JVM, and all that it has started, are gone."""
        with os.fdopen(self._descriptor, errors="replace") as lines:
            for line in without_noise(lines):
                with self._lock:
                    self._last.append(line)
                    if self.is_shown:
                        _print(line)

    def show(self) -> None:
        """Print what has come so far, and go on printing."""
        with self._lock:
            for line in self._last:
                _print(line)
            self.is_shown = True

    def last_line(self) -> str:
        """Return the last line that is not part of a stack trace; empty without one."""
        with self._lock:
            told = [line.strip() for line in self._last if not line.startswith(("\t", " ", "\n"))]
        return told[-1] if told else ""

    def cause(self) -> str:
        """Return what went wrong, in one line."""
        with self._lock:
            text = "".join(line for line in self._last if not line.startswith("WARNING"))
        return root_cause(RuntimeError(text.strip() or "it says nothing")).rstrip(".")


def _print(line: str) -> None:
    with suppress(OSError, ValueError):  # the terminal may be gone
        sys.stderr.write(line)
        sys.stderr.flush()


def describe_end(code: int, last_line: str) -> str:
    """Return why the process ended and what to do, by its exit code and the last line it wrote."""
    if code == _OUT_OF_MEMORY:
        return (
            "Spark ran out of memory, so its Java process ended. Nothing is lost. Start again with "
            f"more memory, for example NEST_SPARK_MEMORY=2g. {LEAVE_THE_HEAP}"
        )
    if code == _KILLED:
        return (
            "Spark's Java process was killed (signal 9), as the system does when memory is short. "
            "Nothing is lost: start again. If it happens again, close other programs, or set "
            "NEST_SPARK_MEMORY to less than what is free."
        )
    how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
    words = f" Its last words: {last_line}" if last_line else ""
    return f"Spark's Java process ended {how}. Nothing is lost: start again.{words}"
