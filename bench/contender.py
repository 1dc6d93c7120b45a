"""Run one contender in this process, again and again, so that it is warm when it is timed.

    python -m bench.contender NAME

Each line of standard input names a folder for lake and checkpoints; a line of JSON answers it with
what the run took. Other settings come as ``NEST_*``.
"""

import json
import os
import sys
import time
from contextlib import AbstractContextManager
from importlib import import_module
from pathlib import Path

from bench.contenders.spark import Work
from bench.ground import within
from bench.tree import watched
from contract.settings import Settings, load_settings
from demo.stack.offsets import end_offsets

MODULES = {
    "scan": "spark",
    "published": "published",
    "stats": "ours",
    "archive": "ours",
    "both": "ours",
    "by_hand": "by_hand",
    "vectorised": "vectorised",
}
"""The contenders, and where under ``bench.contenders`` each is."""


def prepared(name: str, settings: Settings) -> AbstractContextManager[Work]:
    """Return a contender; entering it starts what it needs, such as a JVM."""
    module = import_module(f"bench.contenders.{MODULES[name]}")
    contender: AbstractContextManager[Work] = getattr(module, name)(settings)
    return contender


def timed(work: Work, settings: Settings) -> dict[str, float]:
    """Time a run over the whole topic."""
    with watched(os.getpid()) as usage:
        began = time.perf_counter()
        work(settings)
        seconds = time.perf_counter() - began
    return {
        "seconds": round(seconds, 3),
        "messages": sum(end_offsets(settings.bootstrap_servers).values()),
        "peak_mib": round(usage.peak_mib),
        "cpu_s": round(usage.cpu_s, 2),
    }


def _serve(name: str) -> None:
    settings = load_settings()
    with prepared(name, settings) as work:
        for line in sys.stdin:
            took = timed(work, within(settings, Path(line.strip())))
            print(json.dumps(took), flush=True)  # noqa: T201 - the runner reads it


if __name__ == "__main__":
    _serve(sys.argv[1])
