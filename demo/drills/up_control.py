"""The services of the demo that `nest up` runs on this machine."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from contract.errors import UserError
from contract.polling import poll_until
from contract.settings import Settings
from demo.drills.control import BACK_S, COMMAND_S, Ended, is_setting
from demo.stack.holds import Holds
from demo.stack.run_lock import RunLock
from demo.stack.services import environment, nest

_READABLE = {
    "COLUMNS": "500",
    # Where `nest` is on the path, messages end without a hint at where it is.
    "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
}
"""What makes a command's messages short lines."""


class UpControl:
    """Kills processes by their ids; what it holds, `nest up` stops."""

    def __init__(self, settings: Settings) -> None:
        """Find the demo; UserError if it does not run."""
        self._settings = settings
        self._lock = RunLock(settings.state / "up.json", "nest up")
        self._holds = Holds(settings)
        if "nest up" not in self._lock.alive():
            raise UserError("No demo is running here. Start it with `nest up`, then try again.")

    def kill(self, *services: str) -> None:
        """End services as `kill -9` does, with all that they have started."""
        before = self._lock.alive()
        processes = [psutil.Process(before[name]) for name in services]
        processes += [child for each in processes for child in each.children(recursive=True)]
        for process in processes:
            with suppress(ProcessLookupError):  # it has ended with its parent
                os.kill(process.pid, signal.SIGKILL)
        poll_until(
            lambda: all(
                self._lock.alive().get(name) not in (None, before[name]) for name in services
            ),
            f"the start of {' and '.join(services)}",
            BACK_S,
        )

    @contextmanager
    def stopped(self, service: str) -> Iterator[None]:
        """Keep a service stopped while the block runs."""
        with self._holds.holding(service):
            poll_until(lambda: service not in self._lock.alive(), f"the end of {service}", BACK_S)
            yield
        poll_until(lambda: service in self._lock.alive(), f"the start of {service}", BACK_S)

    def nest(self, *words: str) -> Ended:
        """Run a `nest` command to its end, with the demo's own settings."""
        settings = dict(word.split("=", 1) for word in words if is_setting(word))
        try:
            done = subprocess.run(
                nest(*words[len(settings) :]),
                env={**os.environ, **environment(self._settings), **_READABLE, **settings},
                capture_output=True,
                stdin=subprocess.DEVNULL,
                text=True,
                errors="replace",
                timeout=COMMAND_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise UserError(f"`nest {' '.join(words)}` did not end in {COMMAND_S:g} s.") from None
        return Ended(done.returncode, done.stdout, done.stderr)
