"""Run one contender in this process: warm it up, time it once, print one line of JSON.

    python -m bench.contender NAME

``NEST_*`` settings say where Kafka is and where lake and checkpoints go.
"""

import json
import os
import sys
import time
from contextlib import AbstractContextManager
from importlib import import_module

from bench.ground import folder_of, last_part, within
from bench.tree import watched
from contract.settings import Settings, load_settings
from demo.positions import end_offsets

WARM_UP = 0.25
"""The part of the topic, its last, that is read first: a JVM has compiled little after less."""

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


def run(name: str, settings: Settings) -> dict[str, float | str]:
    """Time a contender over the whole topic, starting a JVM and warming up not included."""
    module = import_module(f"bench.contenders.{MODULES[name]}")
    opened: AbstractContextManager = getattr(module, name)(settings)  # type: ignore[type-arg]
    with watched(os.getpid()) as whole, opened as work:
        warm = within(settings, folder_of(settings) / "warm-up")
        work(warm.model_copy(update={"starting_offsets": last_part(settings, WARM_UP)}))
        with watched(os.getpid()) as timed:
            began = time.perf_counter()
            work(settings)
            seconds = time.perf_counter() - began
    return {
        "name": name,
        "seconds": round(seconds, 3),
        "messages": sum(end_offsets(settings.bootstrap_servers).values()),
        "peak_mib": round(whole.peak_mib),
        "cpu_s": round(timed.cpu_s, 2),
    }


if __name__ == "__main__":
    print(json.dumps(run(sys.argv[1], load_settings())))  # noqa: T201 - the runner reads it
