"""`nest run`: the whole chain once, bounded and without a dashboard, and checked."""

from datetime import datetime
from pathlib import Path
from shlex import quote

from rich.console import Console

from check import Verdict
from contract.counts import read_counts
from contract.kafka.acls import OPERATOR, PIPELINE, PRODUCER
from contract.settings import Settings
from contract.topic_admin import wanted_topics
from demo.commands.report import print_report
from demo.health.check import show_check
from demo.stack.broker import Broker
from demo.stack.device_locations import ensure_device_locations
from demo.stack.environment import environment
from demo.stack.exclusive_commands import ExclusiveCommand
from demo.stack.kafka_java import require_kafka_jars
from demo.stack.nest_argv import nest_argv
from demo.stack.ports import free_port
from demo.stack.run_lock import RunLock
from demo.stack.security.credentials import as_user
from demo.stack.service import Service
from demo.stack.signals import interruptible_as
from demo.stack.topics import ensure_topics
from demo.stack.typed_command import typed_nest
from demo.stack.working_folder import empty_working_folder
from producer.possible_start import require_possible_start


def run(settings: Settings, messages: int, start: datetime | None, console: Console) -> Verdict:
    """Produce the messages, run every query to the end of the input, report and check.

    Works in ``settings.state``/run, emptied first, with a broker of its own on a free port. Raises
    UserError if that folder is not a demo's and for a ``start`` that cannot be, and Interrupted
    when a signal stops it before its end.
    """
    require_possible_start(start)
    stopped = "Stopped before the check: this run proves nothing."
    with interruptible_as(stopped), RunLock(settings.state, ExclusiveCommand.RUN).held() as lock:
        return _run(settings, messages, start, console, lock)


def _run(
    settings: Settings, messages: int, start: datetime | None, console: Console, lock: RunLock
) -> Verdict:
    folder = settings.state / "run"
    settings = ensure_device_locations(settings)
    broker = Broker(settings, folder / "kafka", folder / "logs" / "kafka.log", free_port())
    require_kafka_jars(settings)
    empty_working_folder(folder)
    settings = settings.model_copy(
        update={
            "bootstrap_servers": broker.bootstrap_servers,
            "lake": str(folder / "lake"),
            "checkpoints": str(folder / "checkpoints"),
        }
    )
    console.print(f"Device locations: {settings.device_locations}", soft_wrap=True)
    settings = as_user(settings, OPERATOR)
    broker.on_spawn = lock.add
    with broker:
        ensure_topics(settings.kafka, wanted_topics(settings))
        produce = ["produce", "--messages", str(messages)]
        produce += ["--start", start.isoformat()] if start else []
        _complete("Producer", as_user(settings, PRODUCER), produce, lock)
        _complete("Pipeline", as_user(settings, PIPELINE), ["pipeline", "--once"], lock)
        counts = read_counts(settings.kafka)
        print_report(counts, settings, console)
        verdict = show_check(settings, console, must_be_complete=True)
    console.print(f"The topics and tables of this run are in {folder}.", soft_wrap=True)
    console.print(how_to_inspect_run(settings, folder), soft_wrap=True)
    return verdict


def how_to_inspect_run(settings: Settings, folder: Path) -> str:
    """Return what to type to look at what a run with these settings has left in a folder."""
    port = settings.bootstrap_servers.rpartition(":")[2]
    secure = " --secure" if settings.kafka_secure else ""
    broker = f"broker --port {port} --data {quote(str(folder / 'kafka'))}{secure}"
    names = ["bootstrap_servers", "lake", "checkpoints", "device_locations"]
    variables = [f"NEST_{name.upper()}={quote(getattr(settings, name))}" for name in names]
    if settings.kafka_secure:
        variables.append("NEST_KAFKA_SECURE=true")
    return (
        f"To look at it: `{typed_nest()} {broker}`, and in another terminal "
        f"`{' '.join(variables)} {typed_nest()} check`, or any other command in its place."
    )


def _complete(name: str, settings: Settings, command: list[str], lock: RunLock) -> None:
    """Run a ``nest`` command to its end, as a process that the lock knows."""
    service = Service(
        name, nest_argv(*command), log=None, environment=environment(settings), stop_timeout=12
    )
    service.on_spawn = lock.add
    service.complete()
