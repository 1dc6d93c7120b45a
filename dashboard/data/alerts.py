"""The newest alerts about cameras, read from nest-camera-alerts."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from contract.alerts import OFFLINE, ONLINE, SILENT, Alert, AlertLog
from contract.kafka.cluster import Kafka
from contract.kafka.connections import open_consumer

WHAT_HAPPENED = {OFFLINE: "Went offline", ONLINE: "Came online", SILENT: "Has gone silent"}
"""What a camera did, in words, by the kind of its alert."""
MAX_ALERTS = 500
"""How many are kept, the newest ones."""


@dataclass(frozen=True)
class AlertsView:
    """The newest alerts as of one refresh, each once, the newest first."""

    alerts: tuple[Alert, ...] = ()
    sent_at: Mapping[str, datetime] = field(default_factory=dict)
    """By id, when they were first sent, UTC."""
    unreadable: int = 0
    """How many of the records are no alerts."""

    def noticed_at(self, alert: Alert) -> datetime:
        """Return when it came about: when its message was sent, and of silence when the alert was.

        Silence has no message; that of its alert is the camera's last one, hours before.
        """
        return self.sent_at[alert.id] if alert.alert == SILENT else alert.reported_at


def read_alerts(kafka: Kafka) -> Iterator[AlertsView]:
    """Yield the newest alerts each time; UserError when Kafka does not answer."""
    log = AlertLog(MAX_ALERTS)
    with open_consumer(kafka) as consumer:
        while True:
            log.refresh(consumer)
            newest_first = tuple(reversed(log.by_id.values()))
            yield AlertsView(newest_first, dict(log.sent_at), log.unreadable)
