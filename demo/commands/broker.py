"""`nest broker`: the embedded Kafka alone, until Ctrl-C or SIGTERM."""

from contextlib import nullcontext
from pathlib import Path

from rich.console import Console

from contract.settings import Settings
from demo.stack.addresses import keep_addresses
from demo.stack.broker import Broker
from demo.stack.exclusive_commands import ExclusiveCommand
from demo.stack.run_lock import RunLock
from demo.stack.security.credentials import credentials
from demo.stack.signals import interruptible
from demo.stack.until_stopped import watch_until_interrupted


def run_broker(settings: Settings, port: int | None, data: Path | None, console: Console) -> None:
    """Run Kafka until Ctrl-C or SIGTERM; UserError when it does not start or ends by itself.

    Commands in other terminals find it, unless its log is in a folder of its own (``data``).
    """
    own = settings.state / "kafka"
    lock = nullcontext() if data else RunLock(settings.state, ExclusiveCommand.BROKER).held()
    log = settings.state / "logs" / "kafka.log"
    try:
        with interruptible(), lock, Broker(settings, data or own, log, port) as broker:
            if not data:  # with a folder of its own it is nobody's but the user's
                here = {"bootstrap_servers": broker.bootstrap_servers}
                keep_addresses(settings.model_copy(update=here), ExclusiveCommand.BROKER)
            console.print(
                f"Kafka answers at {broker.bootstrap_servers}, its log is in {data or own}. "
                "Ctrl-C stops it.",
                soft_wrap=True,
            )
            if settings.kafka_secure:
                console.print(
                    "It lets in known users only. Their passwords and its certificate are in "
                    f"{credentials(settings).folder}; with NEST_KAFKA_SECURE=true any command "
                    "takes those that it needs.",
                    soft_wrap=True,
                )
            watch_until_interrupted(broker.require_running)
    except KeyboardInterrupt:
        console.print("Kafka has stopped.")
