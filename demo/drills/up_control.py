"""The services of the demo that `nest up` runs on this machine."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from contract.errors import UserError
from contract.settings import Settings
from demo.drills.file_size_limit import NO_LIMIT, limit_file_size
from demo.drills.kill_processes import kill_processes
from demo.drills.service_control import BACK_S, COMMAND_S, CommandResult, as_typed, split_settings
from demo.drills.wait_for_demo import wait_for_demo
from demo.stack.addresses import no_demo
from demo.stack.environment import environment
from demo.stack.exclusive_commands import ExclusiveCommand
from demo.stack.held_services import HeldServices
from demo.stack.nest_argv import nest_argv
from demo.stack.run_lock import RunLock
from demo.stack.signals import uninterrupted

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
        self._lock = RunLock(settings.state, ExclusiveCommand.UP)
        self._holds = HeldServices(settings)
        if ExclusiveCommand.UP not in self._lock.alive():
            raise no_demo()

    def kill(self, *services: str) -> None:
        """End services as `kill -9` does, with all that they have started."""
        found = wait_for_demo(
            lambda: self._processes(services), f"the run of {' and '.join(services)}", BACK_S
        )
        kill_processes(process.pid for processes in found.values() for process in processes)
        self._wait_for_others_than({name: first.pid for name, (first, *_) in found.items()})

    def kill_java(self, service: str) -> None:
        """End a service's Java as `kill -9` does; the service ends with it."""
        first, *javas = self._wait_for_java(service)
        kill_processes(java.pid for java in javas)
        self._wait_for_others_than({service: first.pid})

    @contextmanager
    def stopped(self, service: str) -> Iterator[None]:
        """Keep a service stopped while the block runs."""
        with self._holds.holding(service):
            self._wait(lambda alive: service not in alive, f"the end of {service}")
            yield
        self._wait(lambda alive: service in alive, f"the start of {service}")

    @contextmanager
    def full_disk(self, service: str) -> Iterator[None]:
        """Let each write of the service's Java to a file fail while the block runs."""
        _, *javas = self._wait_for_java(service)
        try:
            limit_file_size((java.pid for java in javas), 0)
            yield
        finally:
            with uninterrupted():
                limit_file_size((java.pid for java in javas), NO_LIMIT)

    def _processes(self, services: Sequence[str]) -> dict[str, list[psutil.Process]]:
        """Return each service's own process and all that it has started.

        None while one of them is started again.
        """
        with suppress(KeyError, psutil.NoSuchProcess):
            alive = self._lock.alive()
            first = {name: psutil.Process(alive[name]) for name in services}
            return {name: [each, *each.children(recursive=True)] for name, each in first.items()}
        return {}

    def _wait_for_java(self, service: str) -> list[psutil.Process]:
        """Return a service's own process and its Java."""

        def with_java() -> list[psutil.Process]:
            with suppress(KeyError, psutil.NoSuchProcess):
                first, *others = self._processes([service])[service]
                javas = [each for each in others if each.name() == "java"]
                return [first, *javas] if javas else []
            return []

        return wait_for_demo(with_java, f"the Java of {service}", BACK_S)

    def _wait_for_others_than(self, before: Mapping[str, int]) -> None:
        """Wait until services have other processes than before."""
        self._wait(
            lambda alive: all(alive.get(name, pid) != pid for name, pid in before.items()),
            f"the start of {' and '.join(before)}",
        )

    def _wait(self, condition: Callable[[Mapping[str, int]], bool], what: str) -> None:
        """Wait for something to be true of the ids of the processes that are alive, by name."""
        wait_for_demo(lambda: condition(self._lock.alive()), what, BACK_S)

    def nest(self, *words: str) -> CommandResult:
        """Run a `nest` command to its end, with the demo's own settings."""
        settings, command = split_settings(words)
        given = dict(each.split("=", 1) for each in settings)
        try:
            done = subprocess.run(
                nest_argv(*command),
                env={**os.environ, **environment(self._settings), **_READABLE, **given},
                capture_output=True,
                stdin=subprocess.DEVNULL,
                text=True,
                errors="replace",
                timeout=COMMAND_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise UserError(f"`{as_typed(words)}` did not end in {COMMAND_S:g} s.") from None
        return CommandResult(done.returncode, done.stdout, done.stderr)
