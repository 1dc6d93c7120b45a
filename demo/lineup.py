"""The parts of the live demo in order, each started when the one before is ready."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from contract.settings import Settings
from dashboard.serve import dashboard_command
from demo.interrupts import uninterrupted
from demo.parts import Part
from demo.ports import answers
from demo.positions import end_offsets

STOP_WITHIN_S = 14.0
"""All parts together, so that 15 s are kept with the end of this process."""
_LEAST_S = 1.0
"""What each part that is still to stop may count on."""


@dataclass
class Lineup:
    """The running parts, in the order in which they were started."""

    say: Callable[[str], None]
    on_spawn: Callable[[str, int], None]
    parts: list[Part] = field(default_factory=list)

    def start(self, part: Part) -> None:
        """Start a part and return when it is ready; UserError, with its log, when it does not."""
        self.parts.append(part)
        part.on_spawn = self.on_spawn
        began = time.monotonic()
        part.start()
        self.say(f"{part.name} is ready ({time.monotonic() - began:.1f} s).")

    def require_alive(self) -> None:
        """Raise UserError, with the end of its log, for a part that has ended by itself."""
        for part in self.parts:
            if not part.running():
                raise part.died()

    def stop(self) -> None:
        """Stop the parts, the last one first."""
        with uninterrupted():
            for part in stop_in_turn(self.parts):
                with suppress(OSError):  # the terminal may be gone
                    self.say(f"{part.name} has stopped.")


def stop_in_turn(
    parts: list[Part], within: float = STOP_WITHIN_S, clock: Callable[[], float] = time.monotonic
) -> Iterator[Part]:
    """Stop the parts from the last to the first, all ``within`` so many seconds; yield each.

    A part gets its own time, but leaves some to those that stop after it.
    """
    deadline = clock() + within
    for left in range(len(parts) - 1, -1, -1):
        part = parts[left]
        part.stop_timeout = min(part.stop_timeout, deadline - clock() - left * _LEAST_S)
        part.stop()
        yield part


def producer(settings: Settings) -> Part:
    """Return the producer; it is ready when messages of its own are in nest-logs."""
    before = sum(end_offsets(settings.bootstrap_servers).values())
    return Part(
        "Producer",
        nest("produce"),
        log=_log(settings, "producer"),
        environment=environment(settings),
        ready=lambda: sum(end_offsets(settings.bootstrap_servers).values()) > before,
        stop_timeout=4,
    )


def pipeline(settings: Settings) -> Part:
    """Return the pipeline; it is ready when Spark is up and its UI answers."""
    return Part(
        "Pipeline",
        nest("pipeline"),
        log=_log(settings, "pipeline"),
        environment=environment(settings),
        ready=lambda: answers(settings.spark_ui_port),
        stop_timeout=12,  # a running batch may take 10
    )


def dashboard(settings: Settings) -> Part:
    """Return the dashboard; it is ready when its page answers."""
    return Part(
        "Dashboard",
        dashboard_command(settings.dashboard_port, settings.bind_address),
        log=_log(settings, "dashboard"),
        environment=environment(settings),
        ready=lambda: answers(settings.dashboard_port),
        stop_timeout=2,
    )


def _log(settings: Settings, name: str) -> Path:
    return settings.state / "logs" / f"{name}.log"


def nest(*arguments: str) -> list[str]:
    """Return the command line of a `nest` command in this same Python."""
    return [sys.executable, "-m", "demo.cli", *arguments]


def environment(settings: Settings) -> dict[str, str]:
    """Return the settings that are not the defaults as a child process reads them."""
    values = settings.model_dump(mode="json", include=settings.model_fields_set, exclude_none=True)
    return {f"NEST_{name.upper()}": str(value) for name, value in values.items()}
