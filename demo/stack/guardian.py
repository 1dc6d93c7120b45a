"""End the Kafka of a process that was killed: also run as a program, with its pid and its folder.

A process that ends in order stops its Kafka by itself, and this program first. When it is killed,
all that happens is that the pipe to this program's standard input is closed. Only the standard
library is imported, so that it takes little memory.
"""

import os
import shutil
import signal
import sys
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE, Popen


def start_guardian(pid: int, folder: Path) -> "Popen[bytes]":
    """Start what ends a process and removes its folder, should this process be killed."""
    return Popen(
        [sys.executable, __file__, str(pid), str(folder)], stdin=PIPE, start_new_session=True
    )


def main() -> None:
    """Wait for the end of the standard input; then kill the process and remove the folder."""
    pid, folder = int(sys.argv[1]), sys.argv[2]
    sys.stdin.read()
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
