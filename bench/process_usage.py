"""Memory and CPU time of a process and of all its child processes."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import psutil

_SAMPLE_INTERVAL_S = 0.1


@dataclass
class ProcessUsage:
    """What a process tree has used: the highest resident memory, and CPU seconds."""

    peak_mib: float = 0.0
    cpu_s: float = 0.0


@contextmanager
def measure_usage(pid: int) -> Iterator[ProcessUsage]:
    """Measure a process tree during the ``with``. The CPU seconds are set when it ends.

    Resident memory is the sum over the processes, as ``ps`` reports it. Pages that Spark's forked
    Python workers share are counted once for each worker.
    """
    usage, done, root = ProcessUsage(), threading.Event(), psutil.Process(pid)

    def sample() -> None:
        while not done.wait(_SAMPLE_INTERVAL_S):
            usage.peak_mib = max(usage.peak_mib, resident_mib(root))

    thread = threading.Thread(target=sample, daemon=True)
    before = cpu_seconds(root)
    thread.start()
    try:
        yield usage
    finally:
        usage.cpu_s = cpu_seconds(root) - before
        done.set()
        thread.join()
        usage.peak_mib = max(usage.peak_mib, resident_mib(root))


def resident_mib(root: psutil.Process) -> float:
    """Return the resident memory of a process and its children now, in MiB."""
    total = 0
    for process in _with_children(root):
        with suppress(psutil.Error):
            total += process.memory_info().rss
    return total / 2**20


def cpu_seconds(root: psutil.Process) -> float:
    """Return the CPU seconds of a process and its children, including children that have ended."""
    total = 0.0
    for process in _with_children(root):
        with suppress(psutil.Error):
            times = process.cpu_times()
            total += times.user + times.system + times.children_user + times.children_system
    return total


def _with_children(root: psutil.Process) -> list[psutil.Process]:
    try:
        return [root, *root.children(recursive=True)]
    except psutil.Error:
        return []
