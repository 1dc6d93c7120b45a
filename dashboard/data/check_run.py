"""A run of `nest check`, started from the page: one at a time for all viewers, who all see it."""

import atexit
import importlib.util
import json
import os
import subprocess
import sys
import threading
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import IO, Any

from contract.redaction import redact_text

COMMAND = (sys.executable, "-m", "demo.cli", "check", "--format", "json", "--progress")
"""A process of its own: the check knows all rooms, the dashboard only the contract."""
NEEDED = ("demo", "deltalake", "pyarrow", "rich", "typer")
_NICE = 10
"""The page goes on answering while the check takes a core."""
_LAST_WORDS = 2000


@dataclass(frozen=True)
class Proof:
    """What is known of the newest run."""

    began: datetime | None = None
    ended: datetime | None = None
    """None while it runs."""
    done: int = 0
    total: int = 0
    """Records recounted so far, and in all; zero until it has begun to count."""
    verdict: dict[str, Any] | None = None
    """The check's own JSON; None until it ends, and where it could not be made."""
    problem: str | None = None
    """What the check said when it could not be made."""

    @property
    def is_running(self) -> bool:
        """Tell whether a check is under way."""
        return self.began is not None and self.ended is None

    @property
    def holds(self) -> bool | None:
        """Tell whether everything held; None where there is no verdict."""
        return None if self.verdict is None else bool(self.verdict["holds"])


@dataclass
class Check:
    """Runs the check when asked, and knows how the newest run went."""

    command: tuple[str, ...] = COMMAND
    proof: Proof = field(default_factory=Proof)
    last: Proof = field(default_factory=Proof)
    """The newest run that came to a verdict."""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Begin a run, unless one is under way."""
        with self._lock:
            if not self.proof.is_running:
                self.proof = Proof(began=datetime.now(UTC))
                threading.Thread(target=self._run, daemon=True).start()

    def stop(self) -> None:
        """End the run that is under way, if there is one."""
        process = self._process
        if process is not None and process.poll() is None:
            process.terminate()

    def _run(self) -> None:
        problem, verdict = None, None
        try:
            code, output, words = self._follow()
            if code in (0, 1) and output.startswith("{"):
                verdict = json.loads(output)
            elif code < 0:
                problem = "The check was stopped."
            else:
                problem = redact_text(words or output or f"exit code {code}")[-_LAST_WORDS:]
        except (OSError, ValueError) as error:
            problem = f"{type(error).__name__}: {error}"
        finally:
            ended = replace(self.proof, ended=datetime.now(UTC), verdict=verdict, problem=problem)
            if verdict is not None:
                self.last = ended
            self.proof = ended

    def _follow(self) -> tuple[int, str, str]:
        """Run the command to its end, noting its progress; return code, output and other words."""
        with subprocess.Popen(
            self.command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        ) as process:
            self._process = process
            atexit.register(process.kill)
            os.setpriority(os.PRIO_PROCESS, process.pid, _NICE)
            output: list[str] = []
            assert process.stdout is not None  # noqa: S101 - both are pipes
            assert process.stderr is not None  # noqa: S101
            reader = threading.Thread(target=_take_all, args=(process.stdout, output), daemon=True)
            reader.start()
            words = [line for line in process.stderr if not self._is_progress(line)]
            reader.join()
            code = process.wait()
            atexit.unregister(process.kill)
        return code, "".join(output), "".join(words).strip()

    def _is_progress(self, line: str) -> bool:
        """Note a line that tells progress; False for any other line."""
        try:
            told = json.loads(line)
            self.proof = replace(self.proof, done=int(told["done"]), total=int(told["total"]))
        except (ValueError, TypeError, KeyError):
            return False
        return True


def _take_all(stream: IO[str], into: list[str]) -> None:
    into.append(stream.read())


def missing_packages() -> list[str]:
    """Return what the check needs and this installation does not have."""
    return [name for name in NEEDED if importlib.util.find_spec(name) is None]
