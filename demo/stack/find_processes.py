"""Find processes of this machine."""

import psutil


def processes_with_argument(argument: str) -> list[int]:
    """Return the ids of the processes that were started with this argument on their command line.

    Processes of other users, whose command lines cannot be read, are not among them.
    """
    return [
        process.pid
        for process in psutil.process_iter(["cmdline"])
        if argument in (process.info["cmdline"] or ())
    ]
