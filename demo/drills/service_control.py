"""What a drill can do to the services of a running demo, wherever they run."""

import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from itertools import takewhile
from typing import NamedTuple, Protocol

from contract.run_to_end import OUTPUT_CHARACTERS

KAFKA, PRODUCER, PIPELINE = "Kafka", "Producer", "Pipeline"
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
COMMAND_S = 600.0
"""How long a command may take: a repair reads all of nest-logs."""
BACK_S = 300.0
"""How long a service may take to stop or to start."""


class CommandResult(NamedTuple):
    """How a command ended, what it printed, and what it printed as errors."""

    exit_code: int
    output: str
    errors: str

    @property
    def message(self) -> str:
        """Its error where it failed, else the last line that it printed; without colours."""
        lines = _COLOURS.sub("", self.errors if self.exit_code else self.output).splitlines()
        return " ".join(lines if self.exit_code else lines[-1:])

    @property
    def end_of_errors(self) -> str:
        """The end of what it printed as errors: as much as an error of our own shows."""
        return self.errors[-OUTPUT_CHARACTERS:]


class ServiceControl(Protocol):
    """The services of a demo, and commands beside them."""

    def kill(self, *services: str) -> None:
        """End services as `kill -9` does, and return when they have been started again."""

    def kill_java(self, service: str) -> None:
        """End a service's Java as `kill -9` does, and return when it has been started again."""

    def stopped(self, service: str) -> AbstractContextManager[None]:
        """Keep a service stopped while the block runs; it has started again afterwards."""

    def full_disk(self, service: str) -> AbstractContextManager[None]:
        """Let each write of the service's Java to a file fail while the block runs."""

    def nest(self, *words: str) -> CommandResult:
        """Run a `nest` command to its end, where the pipeline has its files.

        Words such as NEST_LAKE=lake before it are settings.
        """


def split_settings(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the settings before a command, such as NEST_LAKE=lake, and the command's own words."""
    settings = list(takewhile(_is_setting, words))
    return settings, list(words[len(settings) :])


def _is_setting(word: str) -> bool:
    return word.startswith("NEST_") and "=" in word


def as_typed(words: Sequence[str]) -> str:
    """Return a `nest` command as one types it, with its settings in front."""
    settings, command = split_settings(words)
    return " ".join([*settings, "nest", *command])
