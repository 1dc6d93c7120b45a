"""How fast the dashboard answers with many counts: ``python -m bench.dashboard [--keys 100000]``.

Fills nest-camera-stats on an embedded Kafka of its own, runs the report page the way Streamlit runs
it for a viewer, and prints the time of the first read, of the first page and of reruns.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from streamlit.testing.v1 import AppTest

import dashboard
from bench.filling import fill_counts
from bench.ground import ground
from bench.machine import moment
from contract.settings import load_settings
from dashboard.counts import read_counts

APP = Path(dashboard.__file__).with_name("app.py")
FIRST_READ_S = 3.0
RERUN_S = 0.3
RERUNS = 20


def main() -> int:
    """Measure and print; 1 if a limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keys", type=int, default=100_000)
    keys = parser.parse_args().keys
    with ground(load_settings()) as here:
        fill_counts(here, keys)
        os.environ["NEST_BOOTSTRAP_SERVERS"] = here.bootstrap_servers
        os.environ["NEST_LAKE"] = here.lake
        figures = measure(here.bootstrap_servers)
    console = Console(highlight=False)
    console.print(f"{keys:,} keys, {os.cpu_count()} cores, {moment()}")
    for name, seconds in figures.items():
        console.print(f"  {name:24}{seconds * 1000:8.0f} ms")
    return 0 if figures["first read"] < FIRST_READ_S and figures["rerun, median"] < RERUN_S else 1


def measure(bootstrap_servers: str) -> dict[str, float]:
    """Return seconds by what took them."""
    reading = read_counts(bootstrap_servers)
    figures = {"first read": timed(lambda: next(reading))}
    figures["read with nothing new"] = timed(lambda: next(reading))
    page = AppTest.from_file(str(APP), default_timeout=60)
    figures["first page"] = timed(page.run)
    reruns = []
    for number in range(RERUNS):
        page.number_input(key="threshold").set_value(1000 + number)
        reruns.append(timed(page.run))
        if page.exception:
            raise SystemExit(str(page.exception))
    figures["rerun, median"] = statistics.median(reruns)
    figures["rerun, slowest"] = max(reruns)
    return figures


def timed(call: Callable[[], object]) -> float:
    """Return how long a call took, in seconds."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(main())
