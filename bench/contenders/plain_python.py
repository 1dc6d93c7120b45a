"""The contender ``plain_python``: the same job in one Python process, with fast libraries.

confluent-kafka reads, orjson parses, pyarrow builds columns, delta-rs writes, and a set finds the
re-sends. It lacks what Spark adds. Offsets do not outlive a crash, so a restart would read and
append everything again. The set of sightings has no limit. It cannot use a second process. It has
no quarantine, so the first bad message stops it.
"""

import gc
from collections import Counter
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from typing import Any

import orjson
from confluent_kafka import Message

from bench.contenders.camera_rows import CameraRows, Positions
from bench.contenders.camera_writer import CameraWriter
from bench.contenders.count_writer import HOUR_US, CountWriter, HourKey
from bench.contenders.kafka_reader import read_batches
from bench.contenders.on_time import on_time_limits
from bench.contenders.registry import Job
from check.locations import read_locations
from contract.settings import Settings
from contract.stats import UNPLACED

_BATCH_MESSAGES = 1_000
"""Messages that are laid out together: few enough to stay in the processor's cache."""


def plain_python(settings: Settings) -> AbstractContextManager[Job]:
    """Archive and count. There is nothing to prepare."""
    return nullcontext(_archive_and_count)


def _archive_and_count(settings: Settings) -> None:
    rows = CameraRows()
    counter, writer = _SightingCounter(settings), CameraWriter(settings)
    gc.disable()  # parsed documents have no cycles, and the search for them takes half of the time
    for messages in read_batches(settings, _BATCH_MESSAGES):
        cameras: list[dict[str, Any]] = []
        message_of_camera: list[int] = []
        for number, message in enumerate(messages):
            found = orjson.loads(message.value())["devices"]["cameras"].values()
            cameras.extend(found)
            message_of_camera.extend([number] * len(found))
            counter.add(found, message.timestamp()[1] * 1000)
        table = rows.lay_out(cameras, message_of_camera, _positions(messages))
        if writer.add(table, len(messages)):
            counter.send_changed()
    writer.start_commit()
    counter.send_changed()
    counter.writer.flush()
    writer.close()
    gc.enable()


def _positions(messages: list[Message]) -> Positions:
    return Positions(
        [message.partition() for message in messages],
        [message.offset() for message in messages],
        [message.timestamp()[1] * 1000 for message in messages],
    )


class _SightingCounter:
    """Counts each sighting once and sends the counts that have changed."""

    def __init__(self, settings: Settings) -> None:
        self.writer = CountWriter(settings)
        self._zip_codes = dict(read_locations(settings.device_locations))
        self._least, self._most = on_time_limits(settings)
        self._counted: set[tuple[str, int]] = set()
        self._start_times: dict[str, int] = {}
        self._counts: Counter[HourKey] = Counter()
        self._changed: set[HourKey] = set()

    def add(self, cameras: Any, timestamp: int) -> None:
        """Count the sightings of one message; ``timestamp`` is the message's, in µs."""
        for camera in cameras:
            event = camera.get("last_event")
            if not event or not event.get("has_person"):
                continue
            start = self._micros(event["start_time"])
            sighting = (camera["device_id"], start)
            if sighting in self._counted:
                continue
            if self._least <= timestamp - start <= self._most:
                self._counted.add(sighting)
                zip_code = self._zip_codes.get(sighting[0]) or UNPLACED
                key = (zip_code, start - start % HOUR_US)
                self._counts[key] += 1
                self._changed.add(key)

    def send_changed(self) -> None:
        """Send the counts that have changed since the last call."""
        self.writer.send((key, self._counts[key]) for key in self._changed)
        self._changed.clear()

    def _micros(self, text: str) -> int:
        """Parse a start time to µs. Re-sends repeat it, so the result is cached."""
        found = self._start_times.get(text)
        if found is None:
            start = datetime.fromisoformat(text)
            found = int(start.timestamp()) * 1_000_000 + start.microsecond
            self._start_times[text] = found
        return found
