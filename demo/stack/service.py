"""A service of the demo: a child process with a log, a sign that it is ready, and time to stop."""

import signal
import subprocess
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import IO, Self

from mirakuru import SimpleExecutor

from contract.errors import UserError
from contract.polling import poll_until
from demo.stack.private_files import make_private_folder, open_private

START_TIMEOUT_S = 180.0
"""How long a service may take to get ready: Spark's start alone takes a minute where two cores have
much else to do. One that ends before is noticed at once."""
LOG_LINES = 20
"""How much of a dead service's log is shown."""


_REQUESTS_TO_END = {signal.SIGHUP, signal.SIGINT, signal.SIGTERM}


class ServiceKilled(UserError):
    """A service was ended by a signal that somebody else sent."""


class Service(SimpleExecutor):  # type: ignore[misc]
    """A child process in a session of its own, so that a Ctrl-C in the terminal spares it.

    mirakuru starts it and, should this process end without stopping it, kills it. To wait until it
    is ready is our own, and so is stopping: mirakuru signals the whole process group, which would
    take the JVM away from a pipeline that is still finishing its batch.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        log: Path | None,
        ready: Callable[[], bool] = lambda: True,
        start_timeout: float = START_TIMEOUT_S,
        stop_timeout: float = 5,
        environment: Mapping[str, str] | None = None,
        umask: int = -1,
    ) -> None:
        """Describe the service, timeouts in seconds; without a log it writes to our own output.

        ``umask`` is that of its process, -1 for our own.
        """
        super().__init__(
            list(command),
            timeout=start_timeout,
            envvars=dict(environment or {}),
            stdin=subprocess.DEVNULL,
            popen_kwargs={"umask": umask},
        )
        self.name = name
        self.log = log
        self.stop_timeout = stop_timeout
        self._ready = ready
        self.on_spawn: Callable[[str, int], None] = lambda name, pid: None
        """Told the service's name and process id as soon as there is one."""

    @property
    def pid(self) -> int:
        """The process id of a service that was started."""
        return int(self.process.pid)

    def __enter__(self) -> Self:
        """Start the process, and stop it if that fails or is cut short, as by a signal."""
        try:
            return self.start()
        except BaseException:
            self.stop()
            raise

    def start(self) -> Self:
        """Start the process and return when it is ready.

        Raises UserError with the end of its log when it ends or does not get ready.
        """
        self.spawn()
        return self.wait_until_ready()

    def spawn(self) -> None:
        """Start the process; its time to get ready begins."""
        with self._output() as output:  # the child gets a handle of its own
            self._stdout, self._stderr = output, output and subprocess.STDOUT
            super().start()
        self.on_spawn(self.name, self.pid)

    def wait_until_ready(self, watch: Callable[[], None] | None = None) -> Self:
        """Return when the process is ready.

        Raises UserError with the end of its log when it ends or does not get ready. One that does
        not get ready is stopped, not killed: it can then stop what it has started itself.

        ``watch`` is called before each look. It may start a process that has ended again, which is
        an error by default.
        """
        look = watch or self.require_running

        def is_ready() -> bool:
            look()
            return self.running() and self._ready()

        try:
            poll_until(is_ready, "the service", self._remaining_timeout)
        except TimeoutError:
            self.stop()
            raise UserError(
                f"{self.name} was not ready within {self._timeout:g} s. {self._end_of_log()}"
            ) from None
        return self

    def complete(self) -> None:
        """Run the service to its end; UserError unless it ends well."""
        with self:
            if self.process.wait():
                raise self.died()

    def require_running(self) -> None:
        """Raise UserError, with the end of its log, if the service has ended; kill what it left."""
        if not self.running():
            error = self.died()
            self.kill()
            raise error

    def killed_by(self) -> int | None:
        """Return the signal that ended the service; None if it runs, or ended by itself.

        A service that cannot go on because its own child was killed, as Spark's Java, says so by
        its exit code, as a shell does: 128 and the signal.
        """
        code = (self.process.poll() if self.process else None) or 0
        if code < 0:
            return -code
        number = code - 128
        return number if number in signal.valid_signals() - _REQUESTS_TO_END else None

    def died(self) -> UserError:
        """Say that the service ended by itself, with the end of its log."""
        code = self.process.poll() if self.process else None
        kind = UserError if self.killed_by() is None else ServiceKilled
        return kind(f"{self.name} ended with exit code {code}. {self._end_of_log()}")

    def stop(self) -> Self:
        """Send SIGTERM to this one process, give it its time, then kill it and what it started."""
        if self.running():
            self.process.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(self.stop_timeout)
        self.kill()
        return self

    def _output(self) -> AbstractContextManager[IO[str] | None]:
        if self.log is None:
            return nullcontext()
        if not self.log.parent.exists():
            make_private_folder(self.log.parent)
        if self.log.exists():  # the log of the run before is kept, once
            self.log.chmod(0o600)
            self.log.replace(self.log.with_suffix(".1.log"))
        return open_private(self.log)

    def _end_of_log(self) -> str:
        if self.log is None:
            return "Its output is above."
        with self.log.open(errors="replace") as lines:
            end = "".join(f"  {line}" for line in deque(lines, LOG_LINES)).rstrip()
        return f"The end of {self.log}:\n{end}" if end else f"Its log {self.log} is empty."
