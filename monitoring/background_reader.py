"""Read a source again and again in a thread of its own, so that no scrape waits for it."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from contract.errors import UserError
from contract.print_line import PrintLine
from contract.redaction import redact_text

T = TypeVar("T")


class BackgroundReader(Generic[T]):
    """Keeps the newest value of a source for as long as it can be believed.

    ``source`` opens its connections, then yields a value each time it is resumed. It is opened
    again after an error.
    """

    def __init__(
        self,
        source: Callable[[], Iterator[T]],
        interval: float,
        believed_for: float,
        say: PrintLine,
    ) -> None:
        """Describe a source that is read every ``interval`` seconds.

        A value is kept for ``believed_for`` seconds: a source that hangs gives no error. ``say`` is
        told why the source cannot be read, whenever that changes, and when it can again.
        """
        self._source, self._interval, self._believed_for = source, interval, believed_for
        self._say = say
        self._value: T | None = None
        self._read_at = self._started_at = time.monotonic()
        self._problem: str | None = None
        self._stopping = threading.Event()

    def start(self) -> None:
        """Begin to read."""
        self._started_at = time.monotonic()
        threading.Thread(target=self._run, daemon=True).start()

    def stop(self) -> None:
        """Read no more, once the read that is under way has ended."""
        self._stopping.set()

    @property
    def latest(self) -> T | None:
        """The newest value; None if there is none, or if it is too old to be true."""
        is_fresh = time.monotonic() - self._read_at <= self._believed_for
        return self._value if is_fresh else None

    @property
    def is_pending(self) -> bool:
        """Whether the first read is still under way, and not for long."""
        is_new = time.monotonic() - self._started_at <= self._believed_for
        return is_new and self._value is None and self._problem is None

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                for value in self._source():
                    self._value, self._read_at = value, time.monotonic()
                    self._note(None)
                    if self._stopping.wait(self._interval):
                        return
            except UserError as error:
                self._note(str(error))
            except Exception as error:  # a defect must not end the reading
                self._note(redact_text(f"{type(error).__name__}: {error}"))
            self._value = None
            self._stopping.wait(self._interval)

    def _note(self, problem: str | None) -> None:
        if problem != self._problem:
            self._say(problem or "It can be read again.")
        self._problem = problem
