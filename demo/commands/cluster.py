"""`nest cluster`: the same demo on a cluster of this machine, live, until Ctrl-C or `down`."""

import os
import signal
from contextlib import suppress
from datetime import UTC, datetime
from shlex import quote

import psutil
from rich.console import Console

from contract.errors import UserError
from contract.polling import poll_until
from contract.settings import Settings
from demo.cluster.cluster import Cluster
from demo.commands.report import print_report
from demo.health.first_report import first_report
from demo.stack.exclusive_commands import ExclusiveCommand
from demo.stack.kept_seed import keep_seed, require_same_seed
from demo.stack.live_services import dashboard_service, producer_service
from demo.stack.ports import is_open, require_own_address, web_address
from demo.stack.run_lock import RunLock
from demo.stack.services import Services
from demo.stack.typed_command import typed_nest
from demo.stack.until_stopped import run_until_stopped, watch_until_interrupted
from producer.dirt import with_demo_dirt

MEMORY_GB = 6.0
"""What the processes take together, with room for the page cache."""
_STOP_S = 60.0


def up(settings: Settings, console: Console) -> None:
    """Start the cluster and the demo on it, show the first report and go on until stopped.

    Raises UserError when a part does not start or ends by itself; the others are stopped then.
    """
    began = datetime.now(UTC)

    def run(services: Services) -> None:
        _require_memory()
        require_own_address(settings.bind_address)
        cluster = _start(settings, services)
        counts = first_report(cluster.settings, began, services.keep_running, console)
        print_report(counts, settings, console)
        _print_pages(cluster, console)
        watch_until_interrupted(services.keep_running)

    run_until_stopped(_lock(settings), console, run)


def down(settings: Settings) -> list[str]:
    """Stop the cluster that runs, and what a killed one has left; return the names of these.

    Raises UserError if nothing runs, or it does not stop.
    """
    lock = _lock(settings)
    alive = lock.alive()
    if not alive:
        raise UserError("No cluster runs. `nest cluster up` starts one.")
    pids, number = list(alive.values()), signal.SIGKILL
    if ExclusiveCommand.CLUSTER in alive:
        pids, number = [alive[ExclusiveCommand.CLUSTER]], signal.SIGTERM
    for pid in reversed(pids):
        with suppress(ProcessLookupError):  # it has ended meanwhile
            os.kill(pid, number)
    try:
        poll_until(lambda: not lock.alive(), "the end of the cluster", _STOP_S)
    except TimeoutError as error:
        raise UserError(f"{error}. Still running: {', '.join(lock.alive())}.") from None
    return list(alive)


def _lock(settings: Settings) -> RunLock:
    return RunLock(settings.state, ExclusiveCommand.CLUSTER)


def _require_memory() -> None:
    free = psutil.virtual_memory().available / 1e9
    if free < MEMORY_GB:
        raise UserError(
            f"{free:.1f} GB of memory are free, and the cluster takes {MEMORY_GB:g} GB. Close "
            "other programs; `nest up` takes less."
        )


def _start(settings: Settings, services: Services) -> Cluster:
    """Start the cluster and the demo's services; each is watched from then on."""
    folder = settings.state / "cluster"
    kafka = folder / "kafka"
    require_same_seed(settings, kafka)
    cluster = Cluster(with_demo_dirt(settings), folder)
    for service in cluster.services:
        service.on_spawn = services.on_spawn

    try:
        cluster.start(services.adopt)
    except BaseException:
        cluster.stop()
        raise
    keep_seed(settings, kafka)
    on_cluster = cluster.settings
    services.start(producer_service(on_cluster))
    services.start(
        cluster.submit(
            "Pipeline",
            ["pipeline"],
            log=cluster.folder / "logs" / "pipeline.log",
            ready=lambda: is_open(on_cluster.spark_ui_port),
        )
    )
    services.start(dashboard_service(on_cluster))
    return cluster


def _print_pages(cluster: Cluster, console: Console) -> None:
    settings = cluster.settings
    console.print(
        f"Dashboard    {web_address(settings.dashboard_port, settings.bind_address)}\n"
        f"Spark master {cluster.spark.page}\n"
        f"Spark UI     http://localhost:{settings.spark_ui_port}\n"
        f"Kafka        {settings.bootstrap_servers}\n"
        f"Object store {settings.s3_endpoint}\n"
        f"Lake         {settings.lake}\n"
        f"Data, logs   {cluster.folder}\n"
        f"In another terminal, `. {quote(str(cluster.environment_file))}` and then "
        f"`{typed_nest()} check` proves the numbers.\n"
        f"Ctrl-C here, or `{typed_nest()} cluster down`, stops everything; the next start goes "
        "on from there.",
        soft_wrap=True,
    )
