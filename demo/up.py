"""`nest up`: the whole demo, live, until it is told to stop."""

import time
from dataclasses import asdict
from datetime import UTC, datetime

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn

from contract.counts import Counts, report
from contract.settings import Settings
from demo.device_locations import ensure_device_locations
from demo.disk_usage import Growth, demo_bytes
from demo.doctor import require_health
from demo.first_report import wait_for_first_report
from demo.report_formats import as_table
from demo.stack import services
from demo.stack.broker import Broker
from demo.stack.ports import free_port
from demo.stack.run_lock import RunLock
from demo.stack.signals import interruptible
from demo.topics import ensure_topics

_LOOK_EVERY_S = 0.5


def up(settings: Settings, console: Console) -> None:
    """Start every service, show the first report and go on until Ctrl-C or SIGTERM.

    Raises UserError when the machine cannot run the demo, or a service does not start or ends by
    itself; the others have been stopped then.
    """
    started = datetime.now(UTC)
    with RunLock(settings.state / "up.json", "nest up").held() as lock:
        require_health(settings, console)
        running = services.Services(lambda line: console.print(line, highlight=False), lock.add)
        try:
            with interruptible():
                settings = _start(settings, running, console)
                counts = _first_report(settings, started, running, console)
                _show(settings, counts, console)
                _stay(settings, running, console)
        except KeyboardInterrupt:
            console.print("\nStopping; what is under way is finished first.")
        finally:
            running.stop()


def _start(settings: Settings, running: services.Services, console: Console) -> Settings:
    """Start the services in order; return the settings with their real ports and paths."""
    settings = with_dirt(ensure_device_locations(settings))
    console.print(f"Device locations: {settings.device_locations}", highlight=False, soft_wrap=True)
    broker = Broker(settings, settings.state / "kafka", settings.state / "logs" / "kafka.log")
    settings = settings.model_copy(
        update={
            "bootstrap_servers": broker.bootstrap_servers,
            "spark_ui_port": free_port(settings.spark_ui_port),
            "dashboard_port": free_port(settings.dashboard_port),
        }
    )
    for make in (lambda _: broker, services.producer, services.pipeline, services.dashboard):
        service = make(settings)
        running.start(service)
        if service is broker:
            ensure_topics(settings.bootstrap_servers)
    return settings


def with_dirt(settings: Settings) -> Settings:
    """Let some dirt in: a demo shows what becomes of it. What the user has set stays."""
    from producer.dirt import DEMO_DIRT

    dirt = {f"dirt_{kind}": fraction for kind, fraction in asdict(DEMO_DIRT).items()}
    unset = {name: value for name, value in dirt.items() if getattr(settings, name) is None}
    return settings.model_copy(update=unset)


def _first_report(
    settings: Settings, started: datetime, running: services.Services, console: Console
) -> Counts:
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("Messages counted, of those in Kafka", total=None)

        def watch(counted: int, in_kafka: int) -> None:
            running.require_alive()
            bar.update(task, completed=counted, total=max(in_kafka, 1))

        return wait_for_first_report(settings, started, watch)


def _show(settings: Settings, counts: Counts, console: Console) -> None:
    console.print(as_table(report(counts.by_key, settings.threshold), settings.threshold))
    console.print(
        f"Dashboard  http://localhost:{settings.dashboard_port}\n"
        f"Spark UI   http://localhost:{settings.spark_ui_port}\n"
        f"Kafka      {settings.bootstrap_servers}\n"
        f"Lake       {settings.lake}\n"
        f"Logs       {settings.state / 'logs'}\n"
        "Ctrl-C stops everything; the next start goes on from there.",
        highlight=False,
    )


def _stay(settings: Settings, running: services.Services, console: Console) -> None:
    """Watch over the services until interrupted."""
    growth = Growth(lambda: demo_bytes(settings))
    while True:
        running.require_alive()
        line = growth.line()
        if line:
            console.print(line, highlight=False)
        time.sleep(_LOOK_EVERY_S)
