"""Runs of `nest check`, started from the page: one at a time, shared by all viewers.

The check leaves its verdict in the folder of the state, wherever it was started. So the last one is
known after a restart of the dashboard, and after a check from the command line.
"""

import atexit
import importlib.util
import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from contract.last_check import read_last_check
from contract.redaction import redact_text
from contract.verdict import Verdict, decode_verdict

COMMAND = (sys.executable, "-m", "demo.cli", "check", "--format", "json", "--progress")
"""The check runs in a process of its own, since the dashboard imports no room but the contract."""
REQUIRED_PACKAGES = ("demo", "deltalake", "pyarrow", "rich", "typer")
_EXIT_CODES_WITH_VERDICT = (0, 1)
_EXIT_CODES_WHEN_STOPPED = tuple(
    code
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
    for code in (-number, 128 + number)
)
"""It ended so at once, or after it had removed what it had put on disk."""
_NICENESS = 10
"""Below the page's priority, so that the page answers while the check uses a core."""
_MAX_PROBLEM_LENGTH = 2000


@dataclass(frozen=True)
class CheckRun:
    """A run of the check: its progress, and its verdict or why there is none."""

    started_at: datetime | None = None
    """UTC; None if no run was started."""
    ended_at: datetime | None = None
    """UTC; None while it runs."""
    done: int = 0
    """Messages recounted so far."""
    total: int = 0
    """Messages to recount; zero until the check knows."""
    values: int = 0
    """Values compared so far."""
    verdict: Verdict | None = None
    """None while it runs and if it failed to run."""
    problem: str | None = None
    """Why it failed to run, without credentials."""
    was_stopped: bool = False
    """Whether it has no verdict because somebody stopped it."""

    @property
    def is_running(self) -> bool:
        """Tell whether the run has started and not ended."""
        return self.started_at is not None and self.ended_at is None

    @property
    def holds(self) -> bool | None:
        """Tell whether every comparison holds; None without a verdict."""
        return None if self.verdict is None else self.verdict.holds


@dataclass
class CheckRunner:
    """Runs the check in the background, and keeps the current run and the last verdict."""

    command: tuple[str, ...] = COMMAND
    current: CheckRun = field(default_factory=CheckRun)
    """The newest run, ended or not."""
    last_completed: CheckRun = field(default_factory=CheckRun)
    """The newest run with a verdict."""
    state: Path | None = None
    """The folder where checks leave their verdict; None if it is not looked at."""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _process: subprocess.Popen[str] | None = None
    _is_stop_requested: bool = False

    def start(self) -> None:
        """Start a run, unless one is running."""
        with self._lock:
            if not self.current.is_running:
                self._is_stop_requested = False
                self.current = CheckRun(started_at=datetime.now(UTC))
                threading.Thread(target=self._run, daemon=True).start()

    def take_kept_verdict(self) -> None:
        """Make the verdict that was kept the last one, if it is newer.

        A run here that ended before it, without a verdict, is told of no longer.
        """
        kept = read_last_check(self.state) if self.state else None
        if not kept:
            return
        run = CheckRun(kept.started_at, kept.ended_at, verdict=kept.verdict)
        known = self.last_completed.ended_at
        if known is None or kept.ended_at > known:
            self.last_completed = run
        with self._lock:
            if self.current.ended_at and kept.ended_at > self.current.ended_at:
                self.current = run

    def stop(self) -> None:
        """Stop the current run, if it is running."""
        self._is_stop_requested = True  # the process may not have been started yet
        process = self._process
        if process is not None and process.poll() is None:
            process.terminate()

    def _run(self) -> None:
        problem, verdict, was_stopped = None, None, False
        try:
            code, output, messages = self._run_process()
            if code in _EXIT_CODES_WITH_VERDICT and output.startswith("{"):
                verdict = decode_verdict(output)
            elif code in _EXIT_CODES_WHEN_STOPPED:
                was_stopped = True
            else:
                text = redact_text(messages or output or f"exit code {code}")
                problem = text[-_MAX_PROBLEM_LENGTH:]
        except Exception as error:  # whatever it is, somebody waits for the end of the run
            problem = f"{type(error).__name__}: {error}"
        finally:
            ended = replace(
                self.current,
                ended_at=datetime.now(UTC),
                verdict=verdict,
                problem=problem,
                was_stopped=was_stopped,
            )
            if verdict is not None:
                self.last_completed = ended
            self.current = ended

    def _run_process(self) -> tuple[int, str, str]:
        """Run the command to its end, following its progress.

        Returns the exit code, standard output, and standard error without the lines of progress.
        """
        with subprocess.Popen(
            self.command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        ) as process:
            self._process = process
            if self._is_stop_requested:
                process.terminate()
            atexit.register(process.terminate)
            os.setpriority(os.PRIO_PROCESS, process.pid, _NICENESS)
            output: list[str] = []
            assert process.stdout is not None  # noqa: S101 - both are pipes
            assert process.stderr is not None  # noqa: S101
            # Both pipes are read at once: a full one would block the check.
            reader = threading.Thread(target=_read_all, args=(process.stdout, output), daemon=True)
            reader.start()
            messages = [line for line in process.stderr if not self._take_progress(line)]
            reader.join()
            code = process.wait()
            atexit.unregister(process.terminate)
        return code, "".join(output), "".join(messages).strip()

    def _take_progress(self, line: str) -> bool:
        """Update the current run from a line of progress; False for any other line."""
        try:
            progress = json.loads(line)
            done, total = int(progress["done"]), int(progress["total"])
            values = int(progress.get("values", 0))
        except (ValueError, TypeError, KeyError):
            return False
        self.current = replace(self.current, done=done, total=total, values=values)
        return True


def _read_all(stream: IO[str], output: list[str]) -> None:
    output.append(stream.read())


def missing_packages() -> list[str]:
    """Return the packages that the check needs and this installation does not have."""
    return [name for name in REQUIRED_PACKAGES if importlib.util.find_spec(name) is None]
