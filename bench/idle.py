"""``python -m bench.idle``: what the demo takes while little happens and nobody looks.

Runs `nest up` at the default rate, lets it settle, and measures the processor time of each of its
processes; then how long a sighting takes until it is counted.
"""

import time
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import psutil
import typer

from bench.command import new_console, run_command
from bench.environment import live_service, with_output_folder
from bench.figures import percentiles
from bench.latency_probe import LatencyProbe, add_probe_location
from bench.machine import describe_machine, time_and_load
from bench.process_usage import cpu_seconds, resident_mib
from bench.reporting.page import fill_page
from bench.reporting.results import save
from contract.polling import poll_until
from contract.settings import Settings, load_settings
from demo.commands.scratch_demo import is_demo_ready
from demo.stack.addresses import with_kept_addresses
from demo.stack.device_locations import ensure_device_locations
from demo.stack.exclusive_commands import ExclusiveCommand
from demo.stack.run_lock import RunLock
from demo.stack.working_folder import link_jars

_READY_WITHIN_S = 600.0
_LAST_WITHIN_S = 60.0


def main(
    *,
    minutes: Annotated[float, typer.Option(help="How long the demo settles before.")] = 10,
    seconds: Annotated[float, typer.Option(help="How long each of both is measured.")] = 120,
    keep: Annotated[bool, typer.Option(help="Write bench/results and the page.")] = True,
) -> None:
    """Run the demo, measure, and print cores and memory of each service and the delay of counts."""
    console, settings = new_console(), load_settings()
    with TemporaryDirectory(prefix="bench-", dir=settings.state) as name, ExitStack() as stack:
        own = _own_state(settings, Path(name).resolve())
        demo = live_service("Demo", own, "up", stop_timeout=30)
        stack.enter_context(demo)
        poll_until(
            lambda: is_demo_ready(own, within=5), "the first report", _READY_WITHIN_S, interval=1
        )
        _let_pass(minutes * 60)
        pids = RunLock(own.state, ExclusiveCommand.UP).alive()
        del pids[ExclusiveCommand.UP]  # the services are its children
        services = {name: psutil.Process(pid) for name, pid in pids.items()}
        cores = _measure_cores(services, seconds)
        memory = {name: round(resident_mib(root)) for name, root in services.items()}
        delays = _measure_delays(with_kept_addresses(own), seconds)
        if not demo.running():
            raise demo.died()
    figures = {
        "minutes_before": minutes,
        "cores": cores | {"all": round(sum(cores.values()), 3)},
        "memory_mib": memory,
        "counted_after": percentiles(delays),
    }
    console.print(figures)
    if keep:
        fill_page(save({"machine": describe_machine(), "idle": {**figures, **time_and_load()}}))


def _own_state(settings: Settings, folder: Path) -> Settings:
    """Return the settings of a demo in a folder of its own, with the jars of ``settings``."""
    link_jars(settings, folder)
    own = with_output_folder(settings.model_copy(update={"state": folder}), folder)
    own = ensure_device_locations(own)
    locations = folder / "locations_with_probe.csv"
    add_probe_location(Path(own.device_locations), locations)
    return own.model_copy(update={"device_locations": str(locations)})


def _measure_cores(services: dict[str, psutil.Process], seconds: float) -> dict[str, float]:
    """Return the cores that each service and its children take, on average."""
    began, before = time.monotonic(), {name: cpu_seconds(root) for name, root in services.items()}
    _let_pass(seconds)
    took = time.monotonic() - began
    return {
        name: round((cpu_seconds(root) - before[name]) / took, 3) for name, root in services.items()
    }


def _measure_delays(settings: Settings, seconds: float) -> list[float]:
    """Return the seconds that the probe's sightings took until they were counted."""
    with closing(LatencyProbe(settings)) as probe:
        probe.start()
        _let_pass(seconds)
        probe.stop_sending()
        poll_until(lambda: not probe.pending, "the probe's last count", _LAST_WITHIN_S)
        return [delay for _, delay in probe.delays]


def _let_pass(seconds: float) -> None:
    """Let the demo run. This is a span of time that is measured, not a wait."""
    time.sleep(seconds)


if __name__ == "__main__":
    run_command(main)
