"""Let services run in the foreground of a terminal, until Ctrl-C or SIGTERM."""

from collections.abc import Callable
from contextlib import suppress

from rich.console import Console

from demo.stack.run_lock import RunLock
from demo.stack.services import Services
from demo.stack.signals import interruptible


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
