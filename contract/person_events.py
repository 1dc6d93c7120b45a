"""The cameras of one document, and the persons that they saw, for whoever looks at it alone.

Pipeline and check have rules of their own, which judge odd documents as well.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from contract.instants import parse_instant


def cameras_of(document: Any) -> Iterator[dict[str, Any]]:
    """Yield the cameras of a document (parsed JSON), as far as they are objects."""
    devices = document.get("devices") if isinstance(document, dict) else None
    cameras = devices.get("cameras") if isinstance(devices, dict) else None
    for camera in cameras.values() if isinstance(cameras, dict) else ():
        if isinstance(camera, dict):
            yield camera


def person_events(document: Any) -> list[tuple[str, datetime]]:
    """Return device and start (UTC) of each event in which a person was seen."""
    found = []
    for camera in cameras_of(document):
        device_id, event = camera.get("device_id"), camera.get("last_event")
        if isinstance(event, dict) and event.get("has_person") is True:
            start = _instant(event.get("start_time"))
            if isinstance(device_id, str) and device_id and start:
                found.append((device_id, start))
    return found


def _instant(text: object) -> datetime | None:
    try:
        return parse_instant(text) if isinstance(text, str) else None
    except ValueError:
        return None
