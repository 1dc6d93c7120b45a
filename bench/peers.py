"""``python -m bench.peers``: this pipeline beside streaming systems that outlive a crash, too.

All run over the same topic in the same rounds as in ``python -m bench``. Then each is killed once.
"""

from typing import Annotated

import typer

from bench.command import chosen_names, new_console, run_command
from bench.contenders.registry import CONTENDERS
from bench.environment import temporary_environment, with_state_on_heap
from bench.machine import describe_machine, time_and_load
from bench.producer_throughput import measure_producer
from bench.recount import recount
from bench.recovery import measure_recovery
from bench.reporting.page import fill_page
from bench.reporting.results import save
from bench.rounds import run_rounds
from contract.settings import load_settings

NAMES = ["both", "plain_python", "duckdb", *(n for n, each in CONTENDERS.items() if each.is_peer)]
"""The contenders that do the whole job: sightings counted, every row kept."""


def main(
    *,
    messages: Annotated[int, typer.Option(min=100, help="Messages in the topic.")] = 200_000,
    rounds: Annotated[int, typer.Option(min=1, help="Timed rounds after the warm-up.")] = 3,
    only: Annotated[str, typer.Option(help="Which contenders to run.")] = ",".join(NAMES),
    keep: Annotated[bool, typer.Option(help="Write bench/results and docs/performance.md.")] = True,
) -> None:
    """Measure the peers, kill each once, and recount."""
    console, settings = new_console(), load_settings()
    names = chosen_names(only, NAMES)
    before = time_and_load()
    with temporary_environment(with_state_on_heap(settings)) as own_settings:
        measure_producer(own_settings, messages, 1, console.print)
        expected = recount(own_settings)
        recoveries = {
            name: measure_recovery(name, own_settings, expected, console.print) for name in names
        }
        runs = run_rounds(names, own_settings, expected, rounds, console.print)
    peers = {
        "messages": expected.records,
        "rounds": rounds,
        "before": before,
        "after": time_and_load(),
        "contenders": {name: runs[name].as_json() | recoveries[name].as_json() for name in names},
    }
    if keep:
        fill_page(save({"machine": describe_machine(), "peers": peers}))
    if not all(run.as_json()["counts_ok"] for run in runs.values()):
        raise typer.Exit(1)


if __name__ == "__main__":
    run_command(main)
