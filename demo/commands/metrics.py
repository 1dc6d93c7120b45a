"""`nest metrics`: what Prometheus scrapes, until Ctrl-C or SIGTERM."""

import threading
from contextlib import suppress

from rich.console import Console

from contract.settings import Settings
from demo.stack.ports import require_own_address, web_address
from demo.stack.signals import interruptible
from monitoring.exporter import Exporter, serving


def serve_metrics(settings: Settings, port: int, console: Console) -> None:
    """Serve the metrics until Ctrl-C or SIGTERM; UserError if it cannot listen there."""

    def say(line: str) -> None:
        console.print(line, soft_wrap=True)

    require_own_address(settings.bind_address)
    with (
        suppress(KeyboardInterrupt),
        interruptible(),
        serving(settings, port, Exporter(settings, say)) as port_used,
    ):
        say(f"Metrics: {web_address(port_used, settings.bind_address)}/metrics")
        threading.Event().wait()
