"""Say at a terminal that Kafka is being asked, if its answer takes long."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

MUTE_S = 2.0
"""For so long nothing is said."""


@contextmanager
def notice_if_slow(servers: str) -> Iterator[None]:
    """Print on a terminal that Kafka is being asked, if the block takes more than a moment.

    Only for the main thread: nobody waits for another.
    """
    is_awaited = threading.current_thread() is threading.main_thread()
    if not (is_awaited and sys.stderr and sys.stderr.isatty()):
        yield
        return
    timer = threading.Timer(MUTE_S, sys.stderr.write, [f"Asking Kafka at {servers} ...\n"])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
