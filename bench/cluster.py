"""``python -m bench.cluster``: what a message costs on Spark's own cluster, by executor cores.

A master and up to two workers run on this machine, so more executor cores than it has cores give no
more speed. What has to stay the same is the processor time of a message: then more machines do
more work. It is measured in the timed rounds of a warm process, as that of the other contenders.
"""

import shlex
import sys
from functools import partial
from itertools import groupby
from typing import Annotated, NamedTuple

import typer

from bench.command import new_console, run_command
from bench.device_locations import with_devices
from bench.environment import output_folder, temporary_environment
from bench.figures import Runs
from bench.machine import describe_machine, time_and_load
from bench.producer_throughput import measure_producer
from bench.recount import Expected, recount
from bench.reporting.results import save
from bench.rounds import in_subprocess, run_rounds
from bench.scaling.page import write_page
from contract.print_line import PrintLine
from contract.settings import Settings, load_settings
from contract.topics import NEST_LOGS
from demo.cluster.spark_standalone import SparkStandalone
from demo.cluster.spark_submit import conf_options, one_machine_configuration

_CONTENDER = "both"
_MOST_WORKERS = 2
_EXECUTOR_MEMORY = "1g"


class Layout(NamedTuple):
    """A cluster, and what it works on."""

    cores: int
    """Of all executors together."""
    devices: int = 0
    """Lines of device_locations at least; by default the demo's."""
    partitions: int = NEST_LOGS.partitions
    """Of nest-logs."""

    @property
    def workers(self) -> int:
        """On how many workers the cores are."""
        return min(self.cores, _MOST_WORKERS)


_LAYOUTS = (
    Layout(1),
    Layout(2),
    Layout(4),
    Layout(4, devices=1_000_000),
    Layout(4, partitions=16),
)


def main(
    *,
    messages: Annotated[int, typer.Option(min=100, help="Messages in the topic.")] = 200_000,
    rounds: Annotated[int, typer.Option(min=1, help="Timed rounds after the warm-up.")] = 3,
    keep: Annotated[bool, typer.Option(help="Write bench/results and docs/scaling.md.")] = True,
) -> None:
    """Measure the whole pipeline on clusters of 1, 2 and 4 executor cores; check every result."""
    console, settings = new_console(), load_settings()
    rows = []
    for partitions, layouts in groupby(_LAYOUTS, lambda layout: layout.partitions):
        wanted = settings.model_copy(update={"partitions": partitions})
        with temporary_environment(wanted) as own:
            measure_producer(own, messages, 1, console.print)
            expected = recount(own)
            for layout in layouts:
                runs = _measure(layout, own, expected, rounds, console.print)
                rows.append({**layout._asdict(), "workers": layout.workers, **runs.as_json()})
                console.print(rows[-1])
    if keep:
        figures = {"messages": messages, "rounds": rounds, "layouts": rows, **time_and_load()}
        write_page(save({"machine": describe_machine(), "cluster": figures}))
    if not all(row["counts_ok"] for row in rows):
        raise typer.Exit(1)


def _measure(
    layout: Layout, settings: Settings, expected: Expected, rounds: int, say: PrintLine
) -> Runs:
    """Run the pipeline on a cluster of its own, in rounds."""
    cluster = SparkStandalone(
        output_folder(settings) / f"spark-{layout.cores}-{layout.devices}",
        workers=layout.workers,
        cores=layout.cores // layout.workers,
        memory=_EXECUTOR_MEMORY,
    )
    settings = settings.model_copy(update={"spark_master": cluster.master})
    with cluster:
        start = partial(
            in_subprocess,
            variables={
                "PYSPARK_SUBMIT_ARGS": _submit_arguments(settings),
                "PYSPARK_PYTHON": sys.executable,
            },
            helpers=[service.pid for service in cluster.services],
        )
        own = with_devices(settings, layout.devices)
        return run_rounds([_CONTENDER], own, expected, rounds, say, start=start)[_CONTENDER]


def _submit_arguments(settings: Settings) -> str:
    """Return what spark-submit would take: where driver and executors find jars and modules."""
    configuration = {
        **one_machine_configuration(settings.spark_jars),
        "spark.executor.memory": _EXECUTOR_MEMORY,
    }
    return shlex.join([*conf_options(configuration), "pyspark-shell"])


if __name__ == "__main__":
    run_command(main)
