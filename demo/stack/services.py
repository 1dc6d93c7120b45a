"""Services that run together, in the order in which one needs the other."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from contract.errors import UserError
from demo.stack.service import Service, ServiceKilled
from demo.stack.signals import uninterrupted

STOP_TIMEOUT_S = 14.0
"""For all services together; with the end of this process they stay below 15 s."""
_RESTARTS = 5
"""How often a service is started again that is killed, or ends, before it is ready."""
_CONSEQUENCES_S = 120.0
"""For so long after one service is back, the end of another may be a consequence."""
_MIN_STOP_S = 1.0
"""What each service gets at least."""


@dataclass
class Services:
    """The running services, in the order in which they were started."""

    report: Callable[[str], None]
    on_spawn: Callable[[str, int], None]
    held: Callable[[], frozenset[str]] = frozenset
    """Return the names of the services that are to be stopped for now."""
    started: list[Service] = field(default_factory=list)
    _down: set[str] = field(default_factory=set)
    """Services that do not run and are to be started again."""
    _back_since: dict[str, float] = field(default_factory=dict)
    """When services were started again, by a clock that only goes forward."""

    def start(self, service: Service) -> None:
        """Start a service and return when it is ready; UserError, with its log, when it fails."""
        started = self._add(service)
        service.start()
        self._report_ready(service, started)

    def start_side_by_side(self, services: Sequence[Service]) -> None:
        """Start all services at once and return when all are ready; UserError when one fails.

        What is killed meanwhile is started again, and so is what ended because of it.
        """
        started = []
        for service in services:
            started.append(self._add(service))
            service.spawn()
        for service, at in zip(services, started, strict=True):
            service.wait_until_ready(self.keep_running)
            if service.name not in self._back_since:  # of one that is ready again, it was said
                self._report_ready(service, at)

    def adopt(self, service: Service) -> None:
        """Watch over a service that somebody else has started."""
        self.started.append(service)
        self.report(f"{service.name} is ready.")

    def _add(self, service: Service) -> float:
        """Add a service that is about to be started; return the time."""
        self.started.append(service)
        service.on_spawn = self.on_spawn
        return time.monotonic()

    def _report_ready(self, service: Service, started: float) -> None:
        self.report(f"{service.name} is ready ({time.monotonic() - started:.1f} s).")

    def keep_running(self) -> None:
        """Start what was killed again, and stop or start what is held or let go.

        A service may end by itself because one that was started before it is away; then it is
        started again after that one. Raises UserError, with the end of its log, for a service that
        has ended by itself while all of these run.
        """
        held = self.held()
        for service in self.started:
            if service.name in held:
                self._hold(service)
            elif service.name in self._down:
                self._start_again(service)
            elif (signal_number := service.killed_by()) is not None:
                self.report(f"{service.name} was killed (signal {signal_number}).")
                self._start_again(service)
            elif not service.running():
                self._leave_down(service, service.died())

    def _hold(self, service: Service) -> None:
        if service.name not in self._down:
            self._down.add(service.name)
            service.stop()
            self.report(f"{service.name} is stopped for a drill.")

    def _start_again(self, service: Service) -> None:
        """Start a service once all before it run."""
        self._down.add(service.name)
        for left in reversed(range(_RESTARTS)):
            if not all(each.running() for each in self._before(service)):
                return
            service.kill()  # what it has left of itself
            started = time.monotonic()
            try:
                service.start()
            except UserError as error:
                is_killed = isinstance(error, ServiceKilled)
                if not is_killed and self._away_before(service):
                    self._leave_down(service, error)
                    return
                if not left:
                    raise
                # It has ended, perhaps since a helper of it was killed, or its time was over.
                how = "was killed while it started" if is_killed else "did not get ready"
                self.report(f"{service.name} {how}, and is started again.")
            else:
                self._down.discard(service.name)
                self._back_since[service.name] = time.monotonic()
                self.report(f"{service.name} is ready again ({time.monotonic() - started:.1f} s).")
                return

    def _leave_down(self, service: Service, error: UserError) -> None:
        """Note a service that has ended because another is away; raise the error if none is."""
        away = self._away_before(service)
        if not away:
            raise error
        self._down.add(service.name)
        self.report(f"{service.name} has ended while {away} was away, and is started after it.")

    def _away_before(self, service: Service) -> str | None:
        """Return the name of a service before this one that does not run, or did not just now."""
        for each in self._before(service):
            back_since = self._back_since.get(each.name, float("-inf"))
            if not each.running() or time.monotonic() - back_since < _CONSEQUENCES_S:
                return each.name
        return None

    def _before(self, service: Service) -> list[Service]:
        return self.started[: self.started.index(service)]

    def stop(self) -> None:
        """Stop the services, the last one first."""
        with uninterrupted():
            for service in stop_in_reverse(self.started):
                with suppress(OSError):  # the terminal may be gone
                    self.report(f"{service.name} has stopped.")


def stop_in_reverse(services: list[Service], within: float = STOP_TIMEOUT_S) -> Iterator[Service]:
    """Stop the services from the last to the first, all ``within`` so many seconds; yield each.

    A service gets its own time, but leaves some to those that stop after it.
    """
    deadline = time.monotonic() + within
    for remaining in range(len(services) - 1, -1, -1):
        service = services[remaining]
        service.stop_timeout = min(
            service.stop_timeout, deadline - time.monotonic() - remaining * _MIN_STOP_S
        )
        service.stop()
        yield service
