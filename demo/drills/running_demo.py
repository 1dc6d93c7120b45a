"""The running demo as a drill has it: services to kill or stop, files to damage, topics to fill."""

import os
import re
import signal
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psutil
from kafka import KafkaProducer

from contract.connections import open_consumer
from contract.errors import UserError
from contract.polling import poll_until
from contract.progress import ProgressLog
from contract.settings import Settings
from contract.topics import NEST_LOGS
from demo.stack.addresses import with_kept_addresses
from demo.stack.holds import Holds
from demo.stack.offsets import READ_BACK, end_offsets
from demo.stack.run_lock import RunLock
from demo.stack.services import environment, nest

KAFKA, PRODUCER, PIPELINE = "Kafka", "Producer", "Pipeline"
_COMMAND_S = 240.0
"""How long a command may take: a repair reads all of nest-logs."""
_BACK_S = 120.0
"""How long `nest up` may take to stop or to start a service."""


class Ended(NamedTuple):
    """How a command ended, and all that it printed."""

    exit_code: int
    output: str

    @property
    def message(self) -> str:
        """The last sentence that it printed, on one line and without colours."""
        plain = re.sub(r"\x1b\[[0-9;]*m", "", self.output).strip()
        return " ".join(plain.splitlines()[-1:])


def is_setting(word: str) -> bool:
    """Tell a setting before a command, such as NEST_LAKE=lake, from the command's own words."""
    return word.startswith("NEST_") and "=" in word


class RunningDemo:
    """The demo that `nest up` runs on this machine."""

    def __init__(self, settings: Settings) -> None:
        """Find it; UserError if it does not run, or its lake is not in a folder."""
        self.settings = with_kept_addresses(settings)
        self._lock = RunLock(settings.state / "up.json", "nest up")
        self._holds = Holds(settings)
        if "nest up" not in self._lock.alive():
            raise UserError("No demo is running here. Start it with `nest up`, then try again.")
        if any("://" in uri for uri in (settings.lake, settings.checkpoints)):
            raise UserError("Drills damage files, so lake and checkpoints have to be folders.")

    @property
    def checkpoints(self) -> Path:
        """The folder of all checkpoints."""
        return Path(self.settings.checkpoints)

    @property
    def lake(self) -> Path:
        """The folder of all tables."""
        return Path(self.settings.lake)

    def kill(self, *services: str) -> None:
        """End services as `kill -9` does, and with the pipeline its JVM."""
        alive = self._lock.alive()
        processes = [psutil.Process(alive[name]) for name in services]
        children = [child for each in processes for child in each.children(recursive=True)]
        for process in (*processes, *children):
            try:
                os.kill(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                continue  # it has ended with its parent
        for name in services:
            before = alive[name]
            poll_until(
                lambda name=name, before=before: self._lock.alive().get(name, before) != before,  # type: ignore[misc]
                f"the start of {name}",
                _BACK_S,
            )

    @contextmanager
    def stopped(self, service: str) -> Iterator[None]:
        """Keep a service stopped while the block runs; it has started again afterwards."""
        with self._holds.holding(service):
            poll_until(lambda: service not in self._lock.alive(), f"the end of {service}", _BACK_S)
            yield
        poll_until(lambda: service in self._lock.alive(), f"the start of {service}", _BACK_S)

    def nest(self, *words: str) -> Ended:
        """Run a `nest` command to its end; words such as NEST_LAKE=lake before it are settings."""
        settings = dict(word.split("=", 1) for word in words if is_setting(word))
        arguments = words[len(settings) :]
        try:
            done = subprocess.run(
                nest(*arguments),
                env={**os.environ, **environment(self.settings), "COLUMNS": "500", **settings},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                text=True,
                errors="replace",
                timeout=_COMMAND_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise UserError(
                f"`nest {' '.join(arguments)}` did not end within {_COMMAND_S:g} s."
            ) from None
        return Ended(done.returncode, done.stdout)

    def send(
        self, values: Iterable[bytes | None], key: bytes = b"drill", timestamp: int | None = None
    ) -> int:
        """Send records to nest-logs and return how many; ``timestamp`` in ms, by default now."""
        producer = KafkaProducer(
            bootstrap_servers=self.settings.bootstrap_servers.split(","),
            acks="all",
            max_request_size=2 << 20,
        )
        try:
            sent = [
                producer.send(NEST_LOGS.name, key=key, value=value, timestamp_ms=timestamp)
                for value in values
            ]
            for future in sent:
                future.get(timeout=30)
        finally:
            producer.close()
        return len(sent)

    def wait_until_committed(self, query: str, within: float = 240) -> None:
        """Wait until a query has committed all that is in nest-logs now; UserError if it does not.

        ``within`` is in seconds.
        """
        ends, progress = end_offsets(self.settings.bootstrap_servers), ProgressLog(READ_BACK)

        def is_committed() -> bool:
            progress.refresh(consumer)
            committed = progress.committed_offsets(query)
            return all(committed.get(number, 0) >= end for number, end in ends.items())

        with open_consumer(self.settings.bootstrap_servers) as consumer:
            try:
                poll_until(is_committed, query, within, interval=0.3)
            except TimeoutError:
                raise UserError(
                    f"{query} has not committed everything within {within:g} s. "
                    "`nest ready` says how each query does."
                ) from None
