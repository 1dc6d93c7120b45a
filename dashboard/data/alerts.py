"""The newest alerts about cameras, read from nest-camera-alerts."""

from collections.abc import Iterator
from dataclasses import dataclass

from contract.alerts import Alert, AlertLog
from contract.kafka.cluster import Kafka
from contract.kafka.connections import open_consumer

MAX_ALERTS = 500
"""How many are kept, the newest ones."""


@dataclass(frozen=True)
class AlertsView:
    """The newest alerts as of one refresh, each once, the newest first."""

    alerts: tuple[Alert, ...] = ()
    unreadable: int = 0
    """How many of the records are no alerts."""


def read_alerts(kafka: Kafka) -> Iterator[AlertsView]:
    """Yield the newest alerts each time; UserError when Kafka does not answer."""
    log = AlertLog(MAX_ALERTS)
    with open_consumer(kafka) as consumer:
        while True:
            log.refresh(consumer)
            yield AlertsView(tuple(reversed(log.by_id.values())), log.unreadable)
