"""The records of ``nest-camera-alerts``: a camera went offline, came back, or has gone silent."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, get_args

from kafka import KafkaConsumer
from pydantic import FiniteFloat, TypeAdapter

from contract.instants import from_epoch_ms
from contract.kafka.topic_reader import TopicReader
from contract.topics import CAMERA_ALERTS
from contract.typed_json import Instant, decode_json

Kind = Literal["offline", "online", "silent"]
OFFLINE, ONLINE, SILENT = get_args(Kind)


@dataclass(frozen=True)
class Alert:
    """An alert about a camera; the record's key is ``device_id``, its value these fields as JSON.

    Spark may send an alert again, so a reader folds by ``id``: device, message and kind. Times are
    in UTC. A field that is not known is left out of the record.
    """

    id: str
    device_id: str
    alert: Kind
    since: Instant
    """When the state began, as the camera reports it; for ``silent`` the time of its last message.

    For a camera that returns from silence in its old state: the time of the message that ended the
    silence.
    """
    reported_at: Instant
    """Timestamp of the message that says so; for ``silent`` that of its last message."""
    partition: int
    offset: int
    """Where that message is in nest-logs."""
    zip_code: str
    """``unknown`` for a camera without a known place."""
    name: str | None = None
    structure_id: str | None = None
    was_online_for_s: FiniteFloat | None = None
    """How long the camera had been online before it went offline."""
    was_offline_for_s: FiniteFloat | None = None
    """How long the camera had been offline before it came back."""
    was_silent_for_s: FiniteFloat | None = None
    """How long the camera had sent nothing, where an alert had said that it was silent."""


_ALERT = TypeAdapter(Alert)


def decode_alert(value: bytes | None) -> Alert:
    """Read a record's value; ValueError if it is no alert."""
    return decode_json(_ALERT, value, "an alert")


@dataclass
class AlertLog:
    """The newest alerts of the topic, each once however often it was sent."""

    max_alerts: int
    """How many are kept, and how many records the first refresh goes back."""
    by_id: dict[str, Alert] = field(default_factory=dict)
    """In the order in which they were first sent."""
    sent_at: dict[str, datetime] = field(default_factory=dict)
    """By id, when they were first sent, UTC."""
    unreadable: int = 0
    """How many of the records are no alerts."""

    def __post_init__(self) -> None:
        self._reader = TopicReader(CAMERA_ALERTS.name, self.max_alerts)

    def refresh(self, consumer: KafkaConsumer) -> None:
        """Take in what is new in the topic; one that was created again is read anew."""
        for record in self._reader.read_on(consumer, self._start_over):
            try:
                alert = decode_alert(record.value)
            except ValueError:
                self.unreadable += 1
                continue
            self.by_id.setdefault(alert.id, alert)
            self.sent_at.setdefault(alert.id, from_epoch_ms(record.timestamp))
            if len(self.by_id) > self.max_alerts:
                oldest = next(iter(self.by_id))
                del self.by_id[oldest], self.sent_at[oldest]

    def _start_over(self) -> None:
        self.by_id, self.sent_at, self.unreadable = {}, {}, 0
