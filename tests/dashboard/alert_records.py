"""Alerts put into Kafka the way the pipeline writes them."""

from typing import Any

import orjson
from kafka import KafkaProducer

from contract.instants import format_instant
from contract.topics import CAMERA_ALERTS
from tests.dashboard.sample_lake import after_noon


def alert(kind: str, minutes: float, **fields: Any) -> dict[str, Any]:
    """An alert about camera a, so many minutes after noon."""
    moment = format_instant(after_noon(minutes))
    return {
        "id": f"a:0:{minutes}:{kind}",
        "device_id": "a",
        "alert": kind,
        "since": moment,
        "reported_at": moment,
        "partition": 0,
        "offset": 7,
        "zip_code": "unknown",
        **fields,
    }


def send_alerts(bootstrap_servers: str, *records: dict[str, Any] | bytes) -> None:
    """Append alerts, or other values, to nest-camera-alerts and wait until Kafka has them."""
    producer = KafkaProducer(bootstrap_servers=bootstrap_servers)
    for each in records:
        value = each if isinstance(each, bytes) else orjson.dumps(each)
        producer.send(CAMERA_ALERTS.name, key=b"a", value=value)
    producer.close()
