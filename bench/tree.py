"""Memory and processor time of a process with everything that it has started."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import psutil

_EVERY_S = 0.1


@dataclass
class Usage:
    """What a process tree has used: the highest resident memory, and processor seconds."""

    peak_mib: float = 0.0
    cpu_s: float = 0.0


@contextmanager
def watched(pid: int) -> Iterator[Usage]:
    """Watch a process tree; the processor seconds are there when the ``with`` has ended.

    Resident memory is the sum over the processes, as ``ps`` has it: pages that Spark's forked
    Python workers share are counted for each of them.
    """
    usage, done, root = Usage(), threading.Event(), psutil.Process(pid)

    def sample() -> None:
        while not done.wait(_EVERY_S):
            usage.peak_mib = max(usage.peak_mib, resident_mib(root))

    thread = threading.Thread(target=sample, daemon=True)
    before = processor_s(root)
    thread.start()
    try:
        yield usage
    finally:
        usage.cpu_s = processor_s(root) - before
        done.set()
        thread.join()
        usage.peak_mib = max(usage.peak_mib, resident_mib(root))


def resident_mib(root: psutil.Process) -> float:
    """Return the resident memory of a process and its children now."""
    total = 0
    for process in _tree(root):
        with suppress(psutil.Error):
            total += process.memory_info().rss
    return total / 2**20


def processor_s(root: psutil.Process) -> float:
    """Return the processor seconds of a process, its children, and those that have ended."""
    total = 0.0
    for process in _tree(root):
        with suppress(psutil.Error):
            times = process.cpu_times()
            total += times.user + times.system + times.children_user + times.children_system
    return total


def _tree(root: psutil.Process) -> list[psutil.Process]:
    try:
        return [root, *root.children(recursive=True)]
    except psutil.Error:
        return []
