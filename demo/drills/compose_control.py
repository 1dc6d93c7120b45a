"""The services of the demo in Docker, by the Docker engine's own interface.

A drill runs in a container of the same Compose project, which has the engine's socket. That is as
much as being root on the machine, so the service is there for drills alone and starts with nothing.
"""

import socket
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import docker
from docker.errors import DockerException
from docker.models.containers import Container, ExecResult
from requests.exceptions import ConnectionError as NoConnection
from requests.exceptions import Timeout
from urllib3.exceptions import ReadTimeoutError

from contract.errors import UserError
from demo.drills import file_size_limit, kill_processes
from demo.drills.file_size_limit import NO_LIMIT
from demo.drills.service_control import (
    BACK_S,
    COMMAND_S,
    PIPELINE,
    CommandResult,
    as_typed,
    split_settings,
)
from demo.drills.wait_for_demo import wait_for_demo
from demo.stack.signals import uninterrupted

_PROJECT, _SERVICE = "com.docker.compose.project", "com.docker.compose.service"
_STOP_S = 25


class ComposeControl:
    """Finds containers by the labels that Compose gives them."""

    def __init__(self) -> None:
        """Find the project; UserError where the engine cannot be reached or no demo runs."""
        with _docker("find this container's Compose project"):
            self._engine = docker.from_env()
            labels = self._engine.containers.get(socket.gethostname()).labels
        if _PROJECT not in labels:
            raise UserError(
                "This container is of no Compose project: `docker compose run --rm drill` runs one "
                "that is."
            )
        self._project = labels[_PROJECT]
        self._container(PIPELINE)

    def kill(self, *services: str) -> None:
        """End services as `kill -9` does, and start them again: Docker takes it for a stop."""
        containers = [self._container(name) for name in services]
        killed = []
        try:
            with _docker(f"kill {' and '.join(services)}"):
                for container in containers:
                    container.kill()
                    killed.append(container)
        finally:
            _start(killed, services)
        for container, name in zip(containers, services, strict=True):
            _wait_until_running(container, name)

    def kill_java(self, service: str) -> None:
        """End a service's Java as `kill -9` does; Docker starts the service again."""
        container = self._container(service)
        before = container.attrs["State"]["StartedAt"]
        self._run_program(service, kill_processes.__name__)

        def runs_again() -> bool:
            with _docker(f"say how {service} does"):
                container.reload()
            state = container.attrs["State"]
            return bool(state["Running"]) and state["StartedAt"] != before

        wait_for_demo(runs_again, f"the start of {service}", BACK_S)

    @contextmanager
    def stopped(self, service: str) -> Iterator[None]:
        """Keep a service stopped while the block runs."""
        container = self._container(service)
        try:
            with _docker(f"stop {service}"):
                container.stop(timeout=_STOP_S)
            yield
        finally:
            _start([container], [service])
        _wait_until_running(container, service)

    @contextmanager
    def full_disk(self, service: str) -> Iterator[None]:
        """Let each write of the service's Java to a file fail while the block runs."""
        try:
            self._limit_file_size(service, 0)
            yield
        finally:
            with uninterrupted():
                self._limit_file_size(service, NO_LIMIT)

    def _limit_file_size(self, service: str, most_bytes: int) -> None:
        program = file_size_limit.__name__
        code, output = self._run_program(service, program, str(most_bytes))
        if code:
            raise UserError(f"The disk of {service} could not be filled: {output!r}")

    def _run_program(self, service: str, *words: str) -> ExecResult:
        """Run a Python module in a service's own container, as its own user."""
        container = self._container(service)
        with _docker(f"run a program in {service}"):
            return container.exec_run(["python", "-m", *words])

    def nest(self, *words: str) -> CommandResult:
        """Run a `nest` command to its end, in a container that is as the pipeline's."""
        pipeline = self._container(PIPELINE)
        host: Any = pipeline.attrs["HostConfig"]
        settings, command = split_settings(words)
        with _docker(f"run `{as_typed(words)}`"):
            container = self._engine.containers.run(
                str(pipeline.attrs["Image"]),
                command,
                detach=True,
                environment=[*pipeline.attrs["Config"]["Env"], "COLUMNS=500", *settings],
                network=next(iter(pipeline.attrs["NetworkSettings"]["Networks"])),
                volumes_from=[str(pipeline.id)],
                tmpfs=host["Tmpfs"],
                mem_limit=host["Memory"],
                memswap_limit=host["MemorySwap"],
                pids_limit=host["PidsLimit"],
                cap_drop=host["CapDrop"],
                security_opt=host["SecurityOpt"],
                read_only=host["ReadonlyRootfs"],
            )
            try:
                return _result_of(container)
            except (Timeout, NoConnection) as error:
                if not _is_timeout(error):
                    raise
                raise UserError(f"`{as_typed(words)}` did not end in {COMMAND_S:g} s.") from None
            finally:
                container.remove(force=True)

    def _container(self, service: str) -> Container:
        labels = [f"{_PROJECT}={self._project}", f"{_SERVICE}={service.lower()}"]
        with _docker(f"find {service}"):
            found = self._engine.containers.list(filters={"label": labels}, all=True)
        running = [each for each in found if each.labels.get("com.docker.compose.oneoff") != "True"]
        if not running:
            raise UserError(f"{service} is not there. Start the demo with `docker compose up`.")
        return running[0]


@contextmanager
def _docker(what: str) -> Iterator[None]:
    """Raise UserError if Docker's engine does not do ``what``, or cannot be reached."""
    try:
        yield
    except (DockerException, NoConnection, Timeout) as error:
        raise UserError(f"Docker did not {what}: {error}") from None


def _start(containers: Iterable[Container], services: Sequence[str]) -> None:
    """Start all the containers, also if one does not start, or somebody wants to end the drill.

    Docker starts none of them by itself: to it they were stopped.
    """
    with uninterrupted(), ExitStack() as stack:
        for container in containers:
            stack.enter_context(_docker(f"start {' and '.join(services)}"))
            stack.callback(container.start)


def _result_of(container: Container) -> CommandResult:
    """Wait for a container's end and return what it printed."""
    code = container.wait(timeout=COMMAND_S)["StatusCode"]
    output, errors = (
        container.logs(stdout=not is_error, stderr=is_error).decode(errors="replace")
        for is_error in (False, True)
    )
    return CommandResult(code, output, errors)


def _is_timeout(error: Timeout | NoConnection) -> bool:
    """Tell whether the time was over; once an answer has begun, requests has no word of its own."""
    return isinstance(error, Timeout) or isinstance(next(iter(error.args), None), ReadTimeoutError)


def _wait_until_running(container: Container, name: str) -> None:
    def is_running() -> bool:
        with _docker(f"say how {name} does"):
            container.reload()
        return bool(container.status == "running")

    wait_for_demo(is_running, f"the start of {name}", BACK_S)
