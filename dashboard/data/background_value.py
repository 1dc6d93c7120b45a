"""A value that all viewers share: read in the background, the last known one kept."""

import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Generic, TypeVar

from contract.errors import UserError

_log = logging.getLogger(__name__)

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True)
class Known(Generic[T_co]):
    """What is known: the newest value, when its source last answered, and why it does not now."""

    value: T_co | None = None
    heard: datetime | None = None
    """When the value was read, UTC."""
    problem: str | None = None
    """What the newest attempt failed on; None when it succeeded."""

    def silent_for(self, now: datetime) -> timedelta:
        """Return how long ago the source last answered; zero if it never did."""
        return now - self.heard if self.heard else timedelta()


class Shared(Generic[T]):
    """One value per process, brought up to date when a viewer asks, never in the viewer's thread.

    ``source`` opens what it reads from and then yields the newest value each time it is resumed.
    It may raise UserError, with what is wrong for people. It is opened anew after an error, and
    after nobody has asked for ``idle`` seconds: what it knows might be about a topic that has
    been made anew since.
    """

    def __init__(
        self,
        source: Callable[[], Iterator[T]],
        *,
        interval: float = 1.0,
        idle: float = 60.0,
        patience: float = 3.0,
    ) -> None:
        """Describe a value read at most every ``interval`` seconds.

        A first viewer, or one after a pause, waits up to ``patience`` seconds for it, the others
        take what is known.
        """
        self._source = source
        self._interval, self._idle, self._patience = interval, idle, patience
        self._known: Known[T] = Known()
        self._open: Iterator[T] | None = None
        self._lock = threading.Lock()
        self._answered = threading.Event()
        self._answered.set()
        self._asked = self._started = float("-inf")

    def read(self) -> Known[T]:
        """Return what is known, after starting a refresh if one is due."""
        with self._lock:
            now = monotonic()
            rested = now - self._asked > self._idle
            self._asked = now
            if self._answered.is_set() and now - self._started >= self._interval:
                self._started = now
                self._answered.clear()
                refresh = threading.Thread(target=self._refresh, args=(rested,), daemon=True)
                refresh.start()
        nothing_yet = self._known == Known()
        self._answered.wait(self._patience if rested or nothing_yet else 0.1)
        return self._known

    def _refresh(self, anew: bool) -> None:
        """Take the source's next value; one thread at a time."""
        try:
            if anew or self._open is None:
                self._open = self._source()
            self._known = Known(next(self._open), datetime.now(UTC))
        except UserError as error:
            self._open = None
            self._known = replace(self._known, problem=str(error))
        except Exception as error:  # a defect must not leave the page silent
            _log.exception("A refresh failed.")
            self._open = None
            self._known = replace(self._known, problem=f"{type(error).__name__}: {error}")
        finally:
            self._answered.set()
