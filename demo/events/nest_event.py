"""A Nest event that somebody types: pasted as JSON, or made from three answers."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from contract.errors import UserError
from contract.instants import format_instant, parse_instant
from contract.person_events import cameras_of, person_events

_EXAMPLE = '{"device_id": "...", "last_event": {"has_person": true, "start_time": "..."}}'


@dataclass(frozen=True)
class NestEvent:
    """A document as Nest sends it, ready for nest-logs."""

    document: dict[str, Any]

    @property
    def key(self) -> bytes:
        """The record's key: the id of the home, as far as the document has one."""
        named = [camera.get("structure_id") for camera in cameras_of(self.document)]
        structures = self.document.get("structures")
        named += list(structures) if isinstance(structures, dict) else []
        key = next((name for name in named if isinstance(name, str)), "nest-send")
        return key.encode(errors="replace")  # JSON may have half a character

    @property
    def value(self) -> bytes:
        """The record's value."""
        return json.dumps(self.document, separators=(",", ":")).encode()

    def device_ids(self) -> list[str]:
        """Return the id of each camera that has one."""
        named = [camera.get("device_id") for camera in cameras_of(self.document)]
        return [name for name in named if isinstance(name, str) and name]

    def sightings(self) -> list[tuple[str, datetime]]:
        """Return device and start (UTC) of each event in which a person was seen."""
        return person_events(self.document)


def event_from_json(text: str) -> NestEvent:
    """Take a whole Nest document, or one camera of it; UserError for anything else."""
    try:
        pasted = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UserError(f"This is not JSON ({error}). Nothing was sent.") from None
    if isinstance(pasted, dict) and isinstance(pasted.get("devices"), dict):
        return NestEvent(pasted)
    if not isinstance(pasted, dict) or "device_id" not in pasted:
        raise UserError(
            "This is neither a Nest document (with `devices`) nor a camera of one (with "
            f"`device_id`), such as {_EXAMPLE}. Nothing was sent."
        )
    device_id = pasted["device_id"]
    if not isinstance(device_id, str) or not device_id:
        raise UserError(f"device_id is {device_id!r}, and must be text. Nothing was sent.")
    return NestEvent({"devices": {"cameras": {device_id: pasted}}})


def event_from_answers(device_id: str, saw_person: bool, start: datetime) -> NestEvent:
    """Make the document of a camera that is online and has just seen something."""
    if not device_id.strip():
        raise UserError("A camera needs a device_id. Nothing was sent.")
    camera = {
        "device_id": device_id,
        "name": "Sent by hand",
        "is_online": True,
        "is_streaming": True,
        "last_event": {
            "has_sound": False,
            "has_motion": True,
            "has_person": saw_person,
            "start_time": format_instant(start),
        },
    }
    return NestEvent({"devices": {"cameras": {device_id: camera}}})


def parse_moment(text: str) -> datetime:
    """Return the instant (UTC) of ``now`` or an ISO 8601 time; UserError for anything else."""
    if text.strip().lower() == "now":
        return datetime.now(UTC)
    try:
        return parse_instant(text.strip())
    except ValueError:
        raise UserError(
            f"{text!r} is not a time. Write now, or for example 2026-11-20T10:05; without an "
            "offset it is in UTC."
        ) from None
