"""``python -m bench.growth``: what a message, a device and a key cost as they become more.

Costs are processor time, which hardly depends on what else runs, after two runs to warm up.
"""

import shutil
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from bench.filling import fill_counts
from bench.ground import OUTPUTS, clear, folder_of, ground, renew, within
from bench.machine import machine, moment
from bench.producing import measure_producer
from bench.results import Results, fill_page, save
from bench.rounds import apart
from contract.connections import open_consumer
from contract.counts import Counts
from contract.errors import UserError
from contract.settings import Settings, load_settings
from producer.disk_space import MIN_FREE_BYTES

_BYTES_A_MESSAGE = 5_000
"""In Kafka's log and the lake together, with some room."""
_DEVICE_RUNS_OVER = 200_000
_RUNS = 3


def main(
    *,
    messages: Annotated[str, typer.Option(help="Numbers of messages.")] = "10000,100000,1000000",
    devices: Annotated[
        str, typer.Option(help="Numbers of lines in device_locations.")
    ] = "1000,100000,1000000",
    keys: Annotated[str, typer.Option(help="Numbers of counts.")] = "1000,100000,1000000",
    keep: Annotated[bool, typer.Option(help="Write bench/results and docs/performance.md.")] = True,
) -> None:
    """Measure how the costs grow with messages, devices and keys."""
    console, settings = Console(highlight=False, soft_wrap=True), load_settings()
    growth: Results = {"messages": {}, "devices": {}, "keys": {}}
    _require_disk(settings, max(_numbers(messages)))
    for count in _numbers(messages):
        with ground(settings) as here:
            measure_producer(here, count, 1, lambda _: None)
            cost = _cost("both", here)
        growth["messages"][count] = cost
        console.print(f"{count:>12,} messages {cost:>8.1f} µs of processor a message, both")
    with ground(settings) as here:
        measure_producer(here, _DEVICE_RUNS_OVER, 1, lambda _: None)
        for count in _numbers(devices):
            cost = _cost("stats", _with_devices(here, count))
            growth["devices"][count] = cost
            console.print(f"{count:>12,} devices  {cost:>8.1f} µs of processor a message, stats")
        for count in _numbers(keys):
            seconds = _fold(here, count)
            growth["keys"][count] = round(seconds, 3)
            console.print(f"{count:>12,} keys     {seconds:>8.2f} s to read the report")
    if keep:
        fill_page(save({"machine": machine(), "growth": {**growth, "at": moment()["at"]}}))


def _cost(name: str, settings: Settings) -> float:
    """Return a contender's processor time a message in µs, in the last of its runs."""
    with apart(name, settings) as run:
        for number in range(_RUNS):
            own = within(settings, folder_of(settings) / f"{name}-{number}")
            clear(own)
            took = run(folder_of(own))
            shutil.rmtree(folder_of(own))
    return round(took.cpu_s / took.messages * 1e6, 1)


def _with_devices(settings: Settings, count: int) -> Settings:
    """Return the settings with a table of places that has at least so many lines."""
    path = folder_of(settings) / f"places-{count}.csv"
    text = Path(settings.device_locations).read_text()
    columns, lines = text.split("\n", 1)[0].count(",") + 1, text.count("\n") - 1
    rest = "," * (columns - 2)
    with path.open("w") as table:
        table.write(text)
        table.writelines(f"more-{n},{n % 100_000:05d}{rest}\n" for n in range(count - lines))
    return settings.model_copy(update={"device_locations": str(path)})


def _fold(settings: Settings, count: int) -> float:
    """Return the seconds that a reader needs for so many counts."""
    renew(settings, OUTPUTS)
    fill_counts(settings, count)
    counts = Counts()
    with open_consumer(settings.bootstrap_servers) as consumer:
        began = time.perf_counter()
        counts.refresh(consumer)
        seconds = time.perf_counter() - began
    if len(counts.by_key) != count:
        raise UserError(f"{len(counts.by_key):,} counts were read, {count:,} written.")
    return seconds


def _require_disk(settings: Settings, most: int) -> None:
    settings.state.mkdir(parents=True, exist_ok=True)
    free, needed = shutil.disk_usage(settings.state).free, most * _BYTES_A_MESSAGE + MIN_FREE_BYTES
    if free < needed:
        raise UserError(
            f"{most:,} messages need {needed / 1e9:.1f} GB of disk, and {settings.state} has "
            f"{free / 1e9:.1f} GB. Ask for fewer with --messages."
        )


def _numbers(text: str) -> list[int]:
    try:
        return [int(each) for each in text.split(",")]
    except ValueError:
        raise typer.BadParameter(f"{text}: whole numbers, with commas between them.") from None


if __name__ == "__main__":
    try:
        typer.run(main)
    except UserError as error:
        Console(stderr=True).print(str(error), style="red", highlight=False)
        raise SystemExit(1) from None
