"""Whether somebody has set the clock back: Spark's triggers wait by it."""

import time
from datetime import timedelta

_WORTH_A_RESTART = timedelta(seconds=5)


class ClockSteps:
    """Compares the clock with one that nobody can set.

    Spark has its next batch at a time of the clock, so a query waits for as long as that has been
    set back. A clock that is set forward makes nobody wait.
    """

    def __init__(self) -> None:
        self._ahead = _ahead()

    def set_back_by(self) -> timedelta | None:
        """Return by how much the clock was set back since the last call; None for a few seconds."""
        before, self._ahead = self._ahead, _ahead()
        back = before - self._ahead
        return back if back >= _WORTH_A_RESTART else None


def _ahead() -> timedelta:
    return timedelta(seconds=round(time.time() - time.monotonic()))
