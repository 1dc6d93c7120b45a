"""A value that all viewers share: it is read in the background, and the last one is kept."""

import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Generic, TypeVar

from contract.errors import NotThereYet, UserError

_log = logging.getLogger(__name__)

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

STALE_AFTER = timedelta(seconds=6)
"""A source that has not answered for this long is called unavailable."""
LAKE_STALE_AFTER = timedelta(seconds=20)
"""The same for the lake, where reading many files may take some seconds."""
_WAIT_FOR_REFRESH = 0.1
"""Seconds that a viewer waits for a newer value when there is one to show already."""


@dataclass(frozen=True)
class Snapshot(Generic[T_co]):
    """The last value of a source, when it was read, and why the last read failed, if it did."""

    value: T_co | None = None
    read_at: datetime | None = None
    """When the value was read, UTC; None if no read has succeeded."""
    problem: str | None = None
    """The error of the last read; None if it succeeded."""
    is_not_there_yet: bool = False
    """Whether that error says only that the source is still to be made."""

    @property
    def is_pending(self) -> bool:
        """Tell whether no read has ended yet, neither with a value nor with an error."""
        return self.read_at is None and self.problem is None

    def age(self, now: datetime) -> timedelta:
        """Return how old the value is; zero if there is none."""
        return now - self.read_at if self.read_at else timedelta()

    def is_unavailable(self, now: datetime, stale_after: timedelta = STALE_AFTER) -> bool:
        """Tell whether the last read failed, or is older than ``stale_after``."""
        return self.problem is not None or self.age(now) > stale_after


class BackgroundValue(Generic[T]):
    """One value per process, refreshed when a viewer reads it, never in the viewer's thread.

    ``source`` opens its connections and then yields the newest value each time it is resumed. It
    raises UserError with a message for people. It is opened again after an error, and after nobody
    has read the value for ``idle_timeout`` seconds: what it remembers may then be about a topic
    that has been recreated.
    """

    def __init__(
        self,
        source: Callable[[], Iterator[T]],
        *,
        refresh_interval: float = 1.0,
        idle_timeout: float = 60.0,
        first_read_timeout: float = 3.0,
    ) -> None:
        """Describe a value that is refreshed at most every ``refresh_interval`` seconds.

        The first viewer, or one after an idle time, waits up to ``first_read_timeout`` seconds for
        it; others get the last value.
        """
        self._source = source
        self._refresh_interval = refresh_interval
        self._idle_timeout = idle_timeout
        self._first_read_timeout = first_read_timeout
        self._snapshot: Snapshot[T] = Snapshot()
        self._values: Iterator[T] | None = None
        self._lock = threading.Lock()
        self._is_refreshed = threading.Event()
        self._is_refreshed.set()
        self._last_read = self._last_refresh = float("-inf")

    def read(self) -> Snapshot[T]:
        """Return the last snapshot, after starting a refresh if one is due."""
        with self._lock:
            now = monotonic()
            was_idle = now - self._last_read > self._idle_timeout
            self._last_read = now
            is_due = now - self._last_refresh >= self._refresh_interval
            if is_due and self._is_refreshed.is_set():
                self._last_refresh = now
                self._is_refreshed.clear()
                threading.Thread(target=self._refresh, args=(was_idle,), daemon=True).start()
        waits_long = was_idle or self._snapshot.is_pending
        self._is_refreshed.wait(self._first_read_timeout if waits_long else _WAIT_FOR_REFRESH)
        return self._snapshot

    def _refresh(self, reopen: bool) -> None:
        """Take the source's next value; only one thread at a time runs this."""
        try:
            if reopen or self._values is None:
                self._values = self._source()
            self._snapshot = Snapshot(next(self._values), datetime.now(UTC))
        except UserError as error:
            self._values = None
            is_not_there_yet = isinstance(error, NotThereYet)
            self._snapshot = replace(
                self._snapshot, problem=str(error), is_not_there_yet=is_not_there_yet
            )
        except Exception as error:  # a defect must not leave the page without a message
            _log.exception("A refresh failed.")
            self._values = None
            problem = f"{type(error).__name__}: {error}"
            self._snapshot = replace(self._snapshot, problem=problem, is_not_there_yet=False)
        finally:
            self._is_refreshed.set()
