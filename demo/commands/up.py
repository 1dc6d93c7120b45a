"""`nest up`: the whole demo, live, until Ctrl-C or SIGTERM."""

from datetime import UTC, datetime

from rich.console import Console

from contract.kafka.acls import OPERATOR
from contract.settings import Settings
from contract.topic_admin import wanted_topics
from demo.commands.doctor import require_fit_machine
from demo.commands.report import addresses, how_to_prove, print_report
from demo.health.first_report import first_report
from demo.stack.addresses import forget_addresses, keep_addresses
from demo.stack.broker import Broker
from demo.stack.device_locations import ensure_device_locations
from demo.stack.disk_usage import DiskGrowth, demo_bytes
from demo.stack.exclusive_commands import ExclusiveCommand
from demo.stack.held_services import HeldServices
from demo.stack.kept_seed import keep_seed, require_same_seed
from demo.stack.live_services import (
    dashboard_service,
    metrics_service,
    pipeline_service,
    producer_service,
)
from demo.stack.ports import free_port, require_own_address, web_address
from demo.stack.run_lock import RunLock
from demo.stack.security.credentials import as_user
from demo.stack.services import Services
from demo.stack.topics import ensure_topics
from demo.stack.until_stopped import run_until_stopped, watch_until_interrupted
from producer.dirt import with_demo_dirt


def up(settings: Settings, console: Console) -> None:
    """Start every service, show the first report and go on until Ctrl-C or SIGTERM.

    Raises UserError when the machine cannot run the demo, or a service does not start or ends by
    itself; the others have been stopped then.
    """
    started = datetime.now(UTC)

    def run(services: Services) -> None:
        require_own_address(settings.bind_address)
        require_fit_machine(settings, console)
        forget_addresses(settings)
        _say_which_kafka(settings, console)
        here = _start(settings, services, console)
        counts = first_report(here, started, services.keep_running, console)
        print_report(counts, settings, console)
        here = _start_metrics(here, services)
        _print_addresses(here, console)
        _keep_running(here, services, console)

    lock = RunLock(settings.state, ExclusiveCommand.UP)
    run_until_stopped(lock, console, run, HeldServices(settings).held)


def _say_which_kafka(settings: Settings, console: Console) -> None:
    """Tell somebody who has named a Kafka that the demo does not run on it."""
    if "bootstrap_servers" in settings.model_fields_set:
        console.print(
            f"NEST_BOOTSTRAP_SERVERS={settings.bootstrap_servers} is not used: `nest up` starts a "
            "Kafka of its own. Other commands go to the one that you have named, where it is set.",
            style="yellow",
            soft_wrap=True,
        )


def _start(settings: Settings, services: Services, console: Console) -> Settings:
    """Start the broker, then all others; return the settings with their real ports and paths."""
    kafka = settings.state / "kafka"
    require_same_seed(settings, kafka)
    settings = with_demo_dirt(ensure_device_locations(settings))
    console.print(f"Device locations: {settings.device_locations}", soft_wrap=True)
    broker = Broker(settings, kafka, settings.state / "logs" / "kafka.log")
    settings = settings.model_copy(
        update={
            "bootstrap_servers": broker.bootstrap_servers,
            "spark_ui_port": free_port(settings.spark_ui_port, settings.bind_address),
            "dashboard_port": free_port(settings.dashboard_port, settings.bind_address),
        }
    )
    keep_addresses(settings)
    settings = as_user(settings, OPERATOR)
    services.start(broker)
    keep_seed(settings, kafka)
    ensure_topics(settings.kafka, wanted_topics(settings))
    makers = (producer_service, pipeline_service, dashboard_service)
    services.start_side_by_side([make(settings) for make in makers])
    return settings


def _start_metrics(settings: Settings, services: Services) -> Settings:
    """Start the metrics, now that nobody waits for a report; return the settings with their port.

    What was free when the demo started another demo may have taken since.
    """
    port = free_port(settings.metrics_port, settings.bind_address)
    settings = settings.model_copy(update={"metrics_port": port})
    services.start(metrics_service(settings))
    return settings


def _print_addresses(settings: Settings, console: Console) -> None:
    console.print(
        f"{addresses(settings)}\n"
        f"Metrics    {web_address(settings.metrics_port, settings.bind_address)}/metrics\n"
        f"Kafka      {settings.bootstrap_servers}\n"
        f"Lake       {settings.lake}\n"
        f"Logs       {settings.state / 'logs'}\n"
        f"{how_to_prove(settings)}\n"
        "Ctrl-C stops everything; the next start goes on from there.",
    )


def _keep_running(settings: Settings, services: Services, console: Console) -> None:
    """Watch over the services until interrupted, and say now and then how the disk fills."""
    growth = DiskGrowth(lambda: demo_bytes(settings))

    def look() -> None:
        services.keep_running()
        if line := growth.line():
            console.print(line)

    watch_until_interrupted(look)
