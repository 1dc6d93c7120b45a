"""``python -m bench.dashboard``: how fast the dashboard answers with many counts.

Fills nest-camera-stats on an embedded Kafka, runs the report page as Streamlit runs it for a
viewer, and times the first read, the first page and its reruns.
"""

import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from streamlit.testing.v1 import AppTest

import dashboard
from bench.command import new_console, run_command
from bench.environment import temporary_environment
from bench.machine import time_and_load
from bench.seed_counts import seed_counts
from contract.settings import load_settings
from dashboard.data.counts import read_counts

_APP = Path(dashboard.__file__).with_name("app.py")
_FIRST_READ_TARGET_S = 3.0
_RERUN_TARGET_S = 0.3
_RERUNS = 20


def main(*, keys: Annotated[int, typer.Option(min=1, help="Number of counts.")] = 100_000) -> None:
    """Measure and print; exit with 1 if a target is missed."""
    with temporary_environment(load_settings()) as settings:
        seed_counts(settings, keys)
        os.environ["NEST_BOOTSTRAP_SERVERS"] = settings.bootstrap_servers
        os.environ["NEST_LAKE"] = settings.lake
        figures = measure(settings.bootstrap_servers)
    targets = {"first read": _FIRST_READ_TARGET_S, "rerun, median": _RERUN_TARGET_S}
    console = new_console()
    console.print(f"{keys:,} keys, {os.cpu_count()} cores, {time_and_load()}")
    for name, seconds in figures.items():
        target = f"  target: below {targets[name] * 1000:.0f} ms" if name in targets else ""
        console.print(f"  {name:24}{seconds * 1000:8.0f} ms{target}")
    if any(figures[name] >= target for name, target in targets.items()):
        raise typer.Exit(1)


def measure(bootstrap_servers: str) -> dict[str, float]:
    """Return the seconds of each step by its name."""
    counts = read_counts(bootstrap_servers)
    figures = {"first read": seconds_of(lambda: next(counts))}
    figures["read with nothing new"] = seconds_of(lambda: next(counts))
    page = AppTest.from_file(str(_APP), default_timeout=60)
    figures["first page"] = seconds_of(page.run)
    reruns = []
    for number in range(_RERUNS):
        page.number_input(key="threshold").set_value(1000 + number)
        reruns.append(seconds_of(page.run))
        if page.exception:
            raise SystemExit(str(page.exception))
    figures["rerun, median"] = statistics.median(reruns)
    figures["rerun, slowest"] = max(reruns)
    return figures


def seconds_of(call: Callable[[], object]) -> float:
    """Return how long a call took, in seconds."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


if __name__ == "__main__":
    run_command(main)
