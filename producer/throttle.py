"""Do something now and then, however often one passes by."""

import time


class Throttle:
    """Is true once every so many seconds, at first at once: ``if due(): ...``."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._next = 0.0

    def __call__(self) -> bool:
        """Return whether it is time again; if so, the next time is ``seconds`` from now."""
        if time.monotonic() < self._next:
            return False
        self._next = time.monotonic() + self._seconds
        return True
