"""Alerts put into Kafka the way the pipeline writes them."""

from typing import Any

import orjson

from contract.instants import format_instant
from contract.topics import CAMERA_ALERTS
from tests.fixtures.kafka import append
from tests.sample.lake import after_noon


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
    values = (each if isinstance(each, bytes) else orjson.dumps(each) for each in records)
    append(bootstrap_servers, CAMERA_ALERTS.name, *((b"a", value) for value in values))
