"""``python -m bench.growth``: what a message, a device and a key cost when there are more of them.

Costs of messages and devices are CPU time, which other load on the machine hardly changes. They are
measured in the third run of a process, when its code is warm.
"""

import shutil
import time
from typing import Annotated

import typer

from bench.command import new_console, run_command
from bench.device_locations import with_devices
from bench.environment import (
    OUTPUT_TOPICS,
    clear_outputs,
    output_folder,
    recreate_topics,
    temporary_environment,
    with_output_folder,
)
from bench.machine import describe_machine, time_and_load
from bench.producer_throughput import measure_producer
from bench.reporting.page import fill_page
from bench.reporting.results import Results, save
from bench.rounds import in_subprocess
from bench.scaling.page import write_page as write_scaling_page
from bench.seed_counts import seed_counts
from contract.counts import Counts
from contract.errors import UserError
from contract.kafka.connections import open_consumer
from contract.settings import Settings, load_settings
from producer.disk_space import MIN_FREE_BYTES

_BYTES_PER_MESSAGE = 5_000
"""In Kafka's log and the lake together, rounded up."""
_MESSAGES_FOR_DEVICES = 200_000
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
    console, settings = new_console(), load_settings()
    growth: Results = {"messages": {}, "devices": {}, "keys": {}}
    _require_disk(settings, max(_numbers(messages)))
    for count in _numbers(messages):
        with temporary_environment(settings) as own_settings:
            measure_producer(own_settings, count, 1, lambda _: None)
            cost = _cpu_per_message("both", own_settings)
        growth["messages"][count] = cost
        console.print(f"{count:>12,} messages {cost:>8.1f} µs of CPU time per message, both")
    with temporary_environment(settings) as own_settings:
        measure_producer(own_settings, _MESSAGES_FOR_DEVICES, 1, lambda _: None)
        for count in _numbers(devices):
            cost = _cpu_per_message("stats", with_devices(own_settings, count))
            growth["devices"][count] = cost
            console.print(f"{count:>12,} devices  {cost:>8.1f} µs of CPU time per message, stats")
        for count in _numbers(keys):
            seconds = _seconds_to_read(own_settings, count)
            growth["keys"][count] = round(seconds, 3)
            console.print(f"{count:>12,} keys     {seconds:>8.2f} s to read all counts")
    if keep:
        at = time_and_load()["at"]
        results = save({"machine": describe_machine(), "growth": {**growth, "at": at}})
        fill_page(results)
        write_scaling_page(results)


def _cpu_per_message(name: str, settings: Settings) -> float:
    """Return a contender's CPU time per message in µs, in the last of its runs."""
    with in_subprocess(name, settings) as run:
        for number in range(_RUNS):
            folder = output_folder(settings) / f"{name}-{number}"
            clear_outputs(with_output_folder(settings, folder))
            timing = run(folder)
            shutil.rmtree(folder)
    return round(timing.cpu_s / timing.messages * 1e6, 1)


def _seconds_to_read(settings: Settings, count: int) -> float:
    """Return the seconds that a reader needs for ``count`` counts."""
    recreate_topics(settings, OUTPUT_TOPICS)
    seed_counts(settings, count)
    counts = Counts()
    with open_consumer(settings.bootstrap_servers) as consumer:
        began = time.perf_counter()
        counts.refresh(consumer)
        seconds = time.perf_counter() - began
    if len(counts.by_key) != count:
        raise UserError(f"{count:,} counts were written, but {len(counts.by_key):,} were read.")
    return seconds


def _require_disk(settings: Settings, messages: int) -> None:
    settings.state.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(settings.state).free
    needed = messages * _BYTES_PER_MESSAGE + MIN_FREE_BYTES
    if free < needed:
        raise UserError(
            f"{messages:,} messages need {needed / 1e9:.1f} GB of disk, but {settings.state} has "
            f"{free / 1e9:.1f} GB. Ask for fewer with --messages."
        )


def _numbers(text: str) -> list[int]:
    try:
        return [int(each) for each in text.split(",")]
    except ValueError:
        raise typer.BadParameter(f"{text}: give whole numbers with commas between them.") from None


if __name__ == "__main__":
    run_command(main)
