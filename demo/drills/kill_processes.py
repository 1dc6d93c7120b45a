"""End processes as `kill -9` does.

Run as a program it ends every Java process here: a drill runs it in the pipeline's container.
"""

import os
import signal
from collections.abc import Iterable
from contextlib import suppress

from demo.drills.java_processes import java_processes


def kill_processes(processes: Iterable[int]) -> None:
    """End processes by their ids; one may have ended with its parent."""
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


if __name__ == "__main__":
    kill_processes(java_processes())
