"""by_hand: the same job in one Python process, as well as it can be written.

confluent-kafka reads, orjson parses, pyarrow lays out columns, delta-rs writes, a set finds the
re-sends. It lacks what Spark brings: offsets that outlive a crash (a restart would read all anew,
and append all anew), a bound to the set's memory, more than one process, and quarantine: the first
bad message stops it.
"""

import gc
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.compute as pc
from confluent_kafka import Message

from bench.contenders.counting import CountWriter, HourKey
from bench.contenders.lake import COMMIT_EVERY, CameraWriter, camera_row
from bench.contenders.reading import read_batches
from bench.contenders.spark import Work
from check.locations import read_locations
from contract.settings import Settings
from contract.stats import UNPLACED

_AT_ONCE = 1_000
"""Messages that are laid out together: few enough to stay in the processor's cache."""
_HOUR = 3_600_000_000


@contextmanager
def by_hand(settings: Settings) -> Iterator[Work]:
    """Archive and count; there is nothing to set up."""
    yield _work


def _work(settings: Settings) -> None:
    schema, pieces, pending = camera_row(), [], 0
    camera_type = pa.struct(list(schema)[:-3])
    loose = _timestamps_as_text(camera_type)
    tally, lake = _Tally(settings), CameraWriter(settings)
    gc.disable()  # parsed documents have no cycles; looking for some takes half of the time
    for messages in read_batches(settings, _AT_ONCE):
        cameras: list[dict[str, Any]] = []
        owner: list[int] = []
        for number, message in enumerate(messages):
            found = orjson.loads(message.value())["devices"]["cameras"].values()
            cameras.extend(found)
            owner.extend([number] * len(found))
            tally.add(found, message.timestamp()[1] * 1000)
        columns = _finished(pa.array(cameras, loose), camera_type, "").flatten()
        pieces.append(pa.record_batch([*columns, *_position(messages, owner)], schema=schema))
        pending += len(messages)
        if pending >= COMMIT_EVERY:
            lake.append(pa.Table.from_batches(pieces))
            tally.send()
            pieces, pending = [], 0
    if pieces:
        lake.append(pa.Table.from_batches(pieces))
    tally.send()
    tally.writer.flush()
    lake.close()
    gc.enable()


class _Tally:
    """Counts each sighting once, and sends the counts that have changed."""

    def __init__(self, settings: Settings) -> None:
        self.writer = CountWriter(settings)
        self._places = dict(read_locations(settings.device_locations))
        self._skew = int(settings.clock_skew.total_seconds() * 1e6)
        self._lateness = int(settings.lateness.total_seconds() * 1e6)
        self._seen: set[tuple[str, int]] = set()
        self._starts: dict[str, int] = {}
        self._counts: Counter[HourKey] = Counter()
        self._changed: set[HourKey] = set()

    def add(self, cameras: Any, timestamp: int) -> None:
        """Take in the cameras of a message of that timestamp (µs)."""
        for camera in cameras:
            event = camera.get("last_event")
            if not event or not event.get("has_person"):
                continue
            start = self._micros(event["start_time"])
            sighting = (camera["device_id"], start)
            if sighting in self._seen:
                continue
            if start - self._skew <= timestamp <= start + self._lateness:
                self._seen.add(sighting)
                place = self._places.get(sighting[0]) or UNPLACED
                key = (place, start - start % _HOUR)
                self._counts[key] += 1
                self._changed.add(key)

    def send(self) -> None:
        """Send the counts that have changed since the last time."""
        self.writer.send((key, self._counts[key]) for key in self._changed)
        self._changed.clear()

    def _micros(self, text: str) -> int:
        """Read a time; the same one comes again and again, with each re-send."""
        found = self._starts.get(text)
        if found is None:
            moment = datetime.fromisoformat(text)
            found = int(moment.timestamp()) * 1_000_000 + moment.microsecond
            self._starts[text] = found
        return found


def _position(messages: list[Message], owner: list[int]) -> list[pa.Array]:
    """Return partition, offset and timestamp of the message of each camera."""
    rows = pa.array(owner, pa.int32())
    partition = pa.array([message.partition() for message in messages], pa.int32())
    offset = pa.array([message.offset() for message in messages], pa.int64())
    stamp = pa.array([message.timestamp()[1] * 1000 for message in messages], pa.int64())
    return [
        partition.take(rows),
        offset.take(rows),
        stamp.cast(pa.timestamp("us", "UTC")).take(rows),
    ]


def _finished(column: pa.Array, wanted: pa.DataType, name: str) -> pa.Array:
    """Cast timestamps, and cut what may be a credential from URLs."""
    if pa.types.is_struct(wanted):
        parts = [
            _finished(part, field.type, field.name)
            for part, field in zip(column.flatten(), wanted, strict=True)
        ]
        return pa.StructArray.from_arrays(parts, fields=list(wanted), mask=column.is_null())
    if pa.types.is_timestamp(wanted):
        return column.cast(wanted)
    if name.endswith("_url"):
        column = pc.replace_substring_regex(column, r"(?s)[?#].*$", "")
        if pc.any(pc.match_substring(column, "@")).as_py():
            column = pc.replace_substring_regex(column, r"^([^/]*//)?[^/]*@", r"\1")
    return column


def _timestamps_as_text(wanted: pa.DataType) -> pa.DataType:
    if pa.types.is_struct(wanted):
        return pa.struct([field.with_type(_timestamps_as_text(field.type)) for field in wanted])
    return pa.string() if pa.types.is_timestamp(wanted) else wanted
