"""Write data/samples: the default world's first message of each kind (``make samples``)."""

from collections.abc import Callable
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from orjson import OPT_APPEND_NEWLINE, OPT_INDENT_2, dumps, loads

from contract.instants import to_epoch_ms
from contract.settings import Settings
from producer.world.homes import build_home
from producer.world.messages import generate
from producer.world.timeline import Timeline

START = datetime(2026, 11, 20, 15, tzinfo=UTC)
"""Seven in the morning in California."""
FOLDER = Path(__file__).parents[1] / "data" / "samples"

Json = dict[str, Any]


def sample_messages() -> dict[str, Json]:
    """Return the samples by name; the first 20,000 messages from ``START`` hold one of each."""
    fields = Settings.model_fields
    seed, homes = fields["seed"].default, fields["homes"].default
    world = [build_home(seed, number) for number in range(homes)]
    samples: dict[str, Json] = {}
    for message in islice(generate(world, Timeline(seed, to_epoch_ms(START))), 20_000):
        document = loads(message.value)
        for name, is_of_kind in _KINDS.items():
            if name not in samples and is_of_kind(document):
                samples[name] = document
        if len(samples) == len(_KINDS):
            break
    return samples


def write_samples(folder: Path) -> None:
    """Write each sample to a file, indented; the producer sends them without white space."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, document in sample_messages().items():
        text = dumps(document, option=OPT_INDENT_2 | OPT_APPEND_NEWLINE)
        (folder / f"{name}.json").write_bytes(text)


def _cameras(document: Json) -> list[Json]:
    return list(document["devices"]["cameras"].values())


def _events(document: Json) -> list[Json]:
    return [camera["last_event"] for camera in _cameras(document) if "last_event" in camera]


def _has_every_device(document: Json) -> bool:
    """Return whether there is a device of each kind, and a camera with every field."""
    devices = document["devices"]
    return bool(devices["thermostats"] and devices["smoke_co_alarms"]) and any(
        "public_share_url" in camera
        and camera["activity_zones"]
        and {"image_url", "end_time"} <= camera.get("last_event", {}).keys()
        and camera["last_event"]["activity_zone_ids"]
        and camera["last_event"]["has_person"]
        for camera in _cameras(document)
    )


_KINDS: dict[str, Callable[[Json], bool]] = {
    "every_device": _has_every_device,
    "camera_without_event": lambda document: (
        not all("last_event" in camera for camera in _cameras(document))
    ),
    "event_going_on": lambda document: any("end_time" not in e for e in _events(document)),
    "motion_without_person": lambda document: any(
        event["has_motion"] and not event["has_person"] for event in _events(document)
    ),
    "camera_offline": lambda document: any(
        not camera["is_online"] and "last_event" in camera for camera in _cameras(document)
    ),
    "five_cameras": lambda document: len(_events(document)) == 5,
}


if __name__ == "__main__":
    write_samples(FOLDER)
