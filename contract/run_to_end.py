"""Run a command to its end; its words are shown to the user only when it fails."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from contract.errors import UserError

OUTPUT_CHARACTERS = 2000
"""How much of a failed command's output is shown, from its end."""


def run_to_end(
    command: Sequence[str],
    failure: str,
    *,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    umask: int = -1,
    timeout: float | None = None,
) -> str:
    """Run a command in ``cwd``, else here, and return its standard output.

    ``environment`` is added to our own.

    Raises UserError with ``failure`` when it is killed after ``timeout`` seconds, and with the end
    of all output, too, when its exit code is not 0.
    """
    try:
        done = subprocess.run(
            list(command),
            cwd=cwd,
            env={**os.environ, **(environment or {})},
            capture_output=True,
            check=False,
            text=True,
            timeout=timeout,
            umask=umask,
        )
    except subprocess.TimeoutExpired:
        raise UserError(f"{failure}: it did not end within {timeout:g} s.") from None
    if done.returncode:
        said = (done.stdout + done.stderr).strip()
        raise UserError(f"{failure}:\n{said[-OUTPUT_CHARACTERS:]}")
    return done.stdout
