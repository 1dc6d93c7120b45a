"""The running demo as a drill has it: services to kill or stop, files to damage, topics to fill."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from itertools import repeat
from pathlib import Path

from kafka.errors import KafkaError

from contract.drills import DrillMark
from contract.errors import UserError
from contract.kafka.connections import open_consumer
from contract.kafka.log_offsets import end_offsets, has_reached
from contract.kafka.sending import send_records
from contract.lake import is_uri
from contract.polling import poll_until
from contract.progress import READ_BACK, ProgressLog
from contract.queries import BATCHED_FROM_NEST_LOGS, Query
from contract.settings import Settings
from contract.topics import NEST_LOGS, PIPELINE_PROGRESS
from demo.drills.service_control import BACK_S, CommandResult, ServiceControl, as_typed
from demo.drills.wait_for_demo import wait_for_demo
from demo.stack.addresses import with_kept_addresses
from demo.tables.known_cameras import first_placed_device

_KAFKA_S = 60.0
"""How long Kafka may take to answer: it may have been killed just now."""
_RECOVERY_S = 600.0
"""How long the queries may take to commit everything after a fault."""


class RunningDemo:
    """A demo whose lake and checkpoints are folders here."""

    def __init__(self, settings: Settings, control: ServiceControl) -> None:
        """Take the demo's settings; UserError if its lake is not in a folder."""
        self.settings = settings
        self._control = control
        if any(map(is_uri, (settings.lake, settings.checkpoints))):
            raise UserError("Drills damage files, so lake and checkpoints have to be folders.")

    @property
    def checkpoints(self) -> Path:
        """The folder of all checkpoints."""
        return Path(self.settings.checkpoints)

    @property
    def lake(self) -> Path:
        """The folder of all tables."""
        return Path(self.settings.lake)

    def known_device(self) -> str:
        """Return the id of a camera that has a place; UserError if none has."""
        device = first_placed_device(self.settings.device_locations)
        if device is None:
            raise UserError(f"No camera in {self.settings.device_locations} has a zip code.")
        return device

    def kill(self, *services: str) -> None:
        """End services as `kill -9` does, and return when they have been started again."""
        self._control.kill(*services)
        self._wait_for_kafka()

    def kill_java(self, service: str) -> None:
        """End a service's Java as `kill -9` does, and return when it has been started again."""
        self._control.kill_java(service)

    @contextmanager
    def stopped(self, service: str) -> Iterator[None]:
        """Keep a service stopped while the block runs; it has started again afterwards."""
        with self._control.stopped(service):
            yield
        self._wait_for_kafka()

    @contextmanager
    def full_disk(self, service: str) -> Iterator[None]:
        """Let each write of a service's Java to a file fail while the block runs."""
        with self._control.full_disk(service):
            yield

    def _wait_for_kafka(self) -> None:
        def answers() -> bool:
            with suppress(UserError, KafkaError):
                return bool(end_offsets(self.settings.kafka))
            return False

        wait_for_demo(answers, "an answer of Kafka", BACK_S, interval=0.3)

    def nest(self, *words: str) -> CommandResult:
        """Run a `nest` command to its end; words such as NEST_LAKE=lake before it are settings."""
        return self._control.nest(*words)

    def require_success(self, *words: str) -> CommandResult:
        """Run a `nest` command to its end; UserError, with its own errors, if it fails."""
        ended = self.nest(*words)
        if ended.exit_code:
            raise UserError(
                f"`{as_typed(words)}` ended with {ended.exit_code}:\n{ended.end_of_errors}"
            )
        return ended

    def require_refusal(self, *words: str, says: str) -> CommandResult:
        """Run a `nest` command that has to fail with a message in which ``says`` is found.

        ``says`` is a regular expression. Raises UserError if the command does anything else.
        """
        ended = self.nest(*words)
        if ended.exit_code == 0 or not re.search(says, ended.message):
            raise UserError(
                f"`{as_typed(words)}` had to refuse with {says!r}, and ended with "
                f"{ended.exit_code}:\n{ended.end_of_errors}"
            )
        return ended

    def send(
        self,
        values: Iterable[bytes | None],
        keys: Iterable[bytes] = repeat(b"drill"),
        timestamp: int | None = None,
    ) -> int:
        """Send records to nest-logs and return how many; ``timestamp`` in ms, by default now.

        With the same key, as by default, they are all in one partition.
        """
        records = list(zip(keys, values, strict=False))
        self._send(NEST_LOGS.name, records, timestamp)
        return len(records)

    @contextmanager
    def marked(self, drill: str) -> Iterator[None]:
        """Mark the time of the block on the dashboard's charts, however the block ends."""
        mark = DrillMark(drill, datetime.now(UTC))
        self._send(PIPELINE_PROGRESS.name, [mark.encode()])
        try:
            yield
        finally:
            ended = replace(mark, ended_at=datetime.now(UTC))
            # That Kafka is away would hide why the drill ended.
            with suppress(UserError, KafkaError):
                self._send(PIPELINE_PROGRESS.name, [ended.encode()])

    def _send(
        self,
        topic: str,
        records: Iterable[tuple[bytes, bytes | None]],
        timestamp: int | None = None,
    ) -> None:
        kafka = self.settings.kafka
        send_records(kafka, topic, records, timestamp=timestamp, wait_s=_KAFKA_S)

    def wait_until_recovered(self) -> None:
        """Wait until stats and archive have committed all of nest-logs, else raise UserError."""
        for query in BATCHED_FROM_NEST_LOGS:
            self._wait_until_committed(query)

    def _wait_until_committed(self, query: Query) -> None:
        ends, progress = end_offsets(self.settings.kafka), ProgressLog(READ_BACK)

        def is_committed() -> bool:
            return has_reached(progress.committed_now(consumer, query), ends)

        with open_consumer(self.settings.kafka) as consumer:
            try:
                poll_until(is_committed, query, _RECOVERY_S, interval=0.3)
            except TimeoutError:
                raise UserError(
                    f"{query} has not committed everything within {_RECOVERY_S:g} s. "
                    "`nest ready` says how each query does."
                ) from None


def find_running_demo(settings: Settings, *, in_docker: bool = False) -> RunningDemo:
    """Return the demo that `nest up` runs here, or the one of this container's Compose project.

    Raises UserError if none runs.
    """
    if in_docker:
        from demo.drills.compose_control import ComposeControl

        return RunningDemo(settings, ComposeControl())
    from demo.drills.up_control import UpControl

    settings = with_kept_addresses(settings)
    return RunningDemo(settings, UpControl(settings))
