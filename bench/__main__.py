"""``python -m bench``: measure, print, and keep the figures."""

from typing import Annotated

import typer
from rich.console import Console

from bench.chart import draw
from bench.contender import MODULES
from bench.figures import ratios
from bench.freshness import measure_freshness
from bench.ground import ground
from bench.machine import machine, moment
from bench.producing import as_json, measure_producer, measure_variants
from bench.recount import recount
from bench.results import LATEST, Results, fill_page, save
from bench.rounds import Say, take_turns
from bench.table import render
from contract.errors import UserError
from contract.settings import Settings, load_settings

PARTS = ("producer", "contenders", "freshness")


def main(
    *,
    messages: Annotated[int, typer.Option(min=100, help="How many are in the topic.")] = 200_000,
    rounds: Annotated[int, typer.Option(min=1, help="Timed rounds after the warm-up.")] = 3,
    parts: Annotated[str, typer.Option(help="What to measure.")] = ",".join(PARTS),
    only: Annotated[str, typer.Option(help="Which contenders.")] = ",".join(MODULES),
    rates: Annotated[str, typer.Option(help="Live messages a second.")] = "100,500,2000",
    seconds: Annotated[int, typer.Option(min=5, help="How long each rate is measured.")] = 40,
    keep: Annotated[bool, typer.Option(help="Write bench/results and docs/performance.md.")] = True,
) -> None:
    """Measure contenders, producer and freshness on this machine."""
    console = Console(highlight=False, soft_wrap=True)
    wanted, names = _chosen(parts, PARTS), _chosen(only, tuple(MODULES))
    measured: Results = {"machine": machine()}
    console.print(f"{measured['machine']}\n{moment()}")
    settings = load_settings()
    if wanted != ["freshness"]:
        measured |= _bounded(
            settings,
            messages=messages,
            rounds=rounds,
            parts=wanted,
            names=names,
            say=console.print,
        )
    if "freshness" in wanted:
        measured["freshness"] = {
            rate: measure_freshness(settings, float(rate), seconds, console.print)
            for rate in rates.split(",")
        }
    console.print(render(measured))
    if keep:
        results = save(measured)
        fill_page(results)
        if "contenders" in results:
            draw(results, LATEST.with_suffix(".svg"))
        console.print(f"Kept in {LATEST}.")
    right = [each["counts_ok"] for each in measured.get("contenders", {}).values()]
    right += [each["check_holds"] for each in measured.get("freshness", {}).values()]
    if not all(right):
        raise typer.Exit(1)


def _bounded(
    settings: Settings,
    *,
    messages: int,
    rounds: int,
    parts: list[str],
    names: list[str],
    say: Say,
) -> Results:
    """Measure on one topic that is filled once: the producer, then the contenders."""
    measured: Results = {}
    before = moment()
    with ground(settings) as here:
        variants = measure_variants(here, say) if "producer" in parts else {}
        filled = measure_producer(here, messages, rounds if "producer" in parts else 1, say)
        expected = recount(here)
        if "producer" in parts:
            measured["producer"] = as_json(filled, messages, expected.bytes) | variants
        if "contenders" in parts:
            contenders = take_turns(names, here, expected, rounds, say)
            measured["contenders"] = {name: each.as_json() for name, each in contenders.items()}
            measured["ratios"] = ratios(contenders)
            measured["contenders_run"] = {
                "messages": expected.records,
                "message_bytes": round(expected.bytes / expected.records),
                "rounds": rounds,
                "before": before,
                "after": moment(),
            }
    return measured


def _chosen(text: str, known: tuple[str, ...]) -> list[str]:
    """Return the known names that a comma-separated text has, in their own order."""
    asked = {name.strip() for name in text.split(",")}
    if unknown := asked - set(known):
        raise typer.BadParameter(f"{', '.join(sorted(unknown))}: there are {', '.join(known)}.")
    return [name for name in known if name in asked]


def _run() -> None:
    try:
        typer.run(main)
    except UserError as error:
        Console(stderr=True).print(str(error), style="red", highlight=False)
        raise SystemExit(1) from None


if __name__ == "__main__":
    _run()
