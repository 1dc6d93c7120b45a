"""Let services run in the foreground of a terminal, until Ctrl-C or SIGTERM."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

from rich.console import Console

from demo.stack.run_lock import RunLock
from demo.stack.services import Services
from demo.stack.signals import interruptible

_WATCH_EVERY_S = 0.5


def run_until_stopped(
    lock: RunLock,
    console: Console,
    run: Callable[[Services], None],
    held: Callable[[], frozenset[str]] = frozenset,
) -> None:
    """Call ``run``, which starts services and watches over them, and stop them all at its end.

    Ctrl-C and SIGTERM end it without an error. Raises what ``run`` raises, and UserError when the
    lock is held by another process.
    """
    with suppress(KeyboardInterrupt), interruptible(), lock.held() as held_lock:
        services = Services(console.print, held_lock.add, held)
        try:
            run(services)
        except KeyboardInterrupt:
            console.print("\nStopping. A running batch is finished first.")
        finally:
            services.stop()


def watch_until_interrupted(look: Callable[[], None]) -> NoReturn:
    """Call ``look`` again and again, until it raises or a signal does."""
    while True:
        look()
        time.sleep(_WATCH_EVERY_S)
