"""``python -m bench``: measure, print, and keep the figures."""

from typing import Annotated

import typer

from bench.command import chosen_names, new_console, run_command
from bench.contenders.registry import CONTENDERS
from bench.environment import temporary_environment, with_state_on_heap
from bench.figures import ratios
from bench.freshness import measure_freshness
from bench.machine import describe_machine, time_and_load
from bench.producer_throughput import as_json, measure_producer, measure_variants
from bench.recount import recount
from bench.reporting.chart import draw
from bench.reporting.page import fill_page
from bench.reporting.results import LATEST, Results, save
from bench.reporting.terminal_tables import render
from bench.rounds import run_rounds
from bench.scaling.page import write_page as write_scaling_page
from contract.print_line import PrintLine
from contract.settings import Settings, load_settings

PARTS = ("producer", "contenders", "freshness")
DEFAULT = ",".join(name for name, each in CONTENDERS.items() if not each.is_peer)


def main(
    *,
    messages: Annotated[int, typer.Option(min=100, help="Messages in the topic.")] = 200_000,
    rounds: Annotated[int, typer.Option(min=1, help="Timed rounds after the warm-up.")] = 3,
    parts: Annotated[str, typer.Option(help="What to measure.")] = ",".join(PARTS),
    only: Annotated[str, typer.Option(help="Which contenders to run.")] = DEFAULT,
    rates: Annotated[str, typer.Option(help="Live messages per second.")] = "100,500,2000",
    seconds: Annotated[int, typer.Option(min=5, help="How long to measure each rate.")] = 40,
    keep: Annotated[bool, typer.Option(help="Write bench/results and docs/performance.md.")] = True,
) -> None:
    """Measure contenders, producer and freshness on this machine."""
    console = new_console()
    chosen_parts, names = chosen_names(parts, PARTS), chosen_names(only, tuple(CONTENDERS))
    measured: Results = {"machine": describe_machine()}
    console.print(f"{measured['machine']}\n{time_and_load()}")
    settings = load_settings()
    if chosen_parts != ["freshness"]:
        measured |= _measure_throughput(
            settings,
            messages=messages,
            rounds=rounds,
            parts=chosen_parts,
            names=names,
            say=console.print,
        )
    if "freshness" in chosen_parts:
        measured["freshness"] = {
            rate: measure_freshness(settings, float(rate), seconds, console.print)
            for rate in rates.split(",")
        }
    console.print(render(measured))
    if keep:
        results = save(measured)
        fill_page(results)
        write_scaling_page(results)
        if "contenders" in results:
            draw(results, LATEST.with_suffix(".svg"))
        console.print(f"The figures are kept in {LATEST}.")
    are_right = [each["counts_ok"] for each in measured.get("contenders", {}).values()]
    are_right += [each["check_holds"] for each in measured.get("freshness", {}).values()]
    if not all(are_right):
        raise typer.Exit(1)


def _measure_throughput(
    settings: Settings,
    *,
    messages: int,
    rounds: int,
    parts: list[str],
    names: list[str],
    say: PrintLine,
) -> Results:
    """Measure the producer while it fills a topic, then the contenders on this topic."""
    measured: Results = {}
    before = time_and_load()
    with temporary_environment(with_state_on_heap(settings)) as own_settings:
        variants = measure_variants(own_settings, say) if "producer" in parts else {}
        producer_rounds = rounds if "producer" in parts else 1
        seconds = measure_producer(own_settings, messages, producer_rounds, say)
        expected = recount(own_settings)
        if "producer" in parts:
            measured["producer"] = as_json(seconds, messages, expected.bytes) | variants
        if "contenders" in parts:
            runs = run_rounds(names, own_settings, expected, rounds, say)
            measured["contenders"] = {name: each.as_json() for name, each in runs.items()}
            measured["ratios"] = ratios(runs)
            measured["contenders_run"] = {
                "messages": expected.records,
                "message_bytes": round(expected.bytes / expected.records),
                "rounds": rounds,
                "before": before,
                "after": time_and_load(),
            }
    return measured


if __name__ == "__main__":
    run_command(main)
