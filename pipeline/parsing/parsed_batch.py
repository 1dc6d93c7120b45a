"""A batch of nest-logs records and what they hold: cameras, and reasons for quarantine."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import cache, cached_property
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from contract.lake import FUTURE
from pipeline.parsing.decode import DecodedRecord, Decoder
from pipeline.parsing.detail import Detail, shorten

_YEAR_10000 = 253_402_300_800_000_000
"""Microseconds since 1970."""


class Rejection(NamedTuple):
    """Why something of a record is in quarantine; ``record`` is its number in the batch."""

    record: int
    reason: str
    detail: str


@dataclass(frozen=True)
class ParsedBatch:
    """An Arrow batch of records (value, partition, offset, timestamp), decoded."""

    records: pa.RecordBatch
    decoded: list[DecodedRecord]
    cameras: pa.StructArray
    """All cameras of the records, in order."""

    @cached_property
    def record_numbers(self) -> pa.Int32Array:
        """For each camera the number of its record in the batch."""
        return pa.array(
            [number for number, record in enumerate(self.decoded) for _ in record.cameras],
            pa.int32(),
        )

    def rejections(self, clock_skew: timedelta) -> list[Rejection]:
        """Return what is wrong with the records, events from the future included.

        An event is from the future if it starts more than ``clock_skew`` after its record's
        timestamp.
        """
        rejections = [
            Rejection(number, reason, detail)
            for number, record in enumerate(self.decoded)
            for reason, detail in record.reasons.items()
        ]
        return rejections + self._future_events(clock_skew)

    def _future_events(self, clock_skew: timedelta) -> list[Rejection]:
        start = pc.struct_field(self.cameras, ["last_event", "start_time"])
        limit = pc.add(self.records["timestamp"], pa.scalar(clock_skew, pa.duration("us")))
        is_future = pc.fill_null(pc.greater(start, limit.take(self.record_numbers)), False)
        records = self.record_numbers.filter(is_future).to_pylist()
        device_ids = pc.struct_field(self.cameras, "device_id").filter(is_future).to_pylist()
        devices: dict[int, Detail] = {}
        for record, device_id in zip(records, device_ids, strict=True):
            devices.setdefault(record, Detail(shorten)).append(device_id)
        return [Rejection(record, FUTURE, str(detail)) for record, detail in devices.items()]


def parse_batches(
    batches: Iterator[pa.RecordBatch], camera_type: pa.StructType
) -> Iterator[ParsedBatch]:
    """Parse batches of records, keeping of each camera the fields that ``camera_type`` has."""
    _freeze_modules()
    decoder = Decoder(camera_type)
    with _garbage_collection_paused():
        for records in batches:
            unusable = _out_of_range(records["timestamp"])
            yield ParsedBatch(records, *decoder.decode(records["value"], unusable))


def is_in_range(timestamps: pa.TimestampArray) -> pa.BooleanArray:
    """Return which record timestamps lie in the years 1970 to 9999, the only ones that are used."""
    return pc.and_(
        pc.greater_equal(timestamps, pa.scalar(0, timestamps.type)),
        pc.less(timestamps, pa.scalar(_YEAR_10000, timestamps.type)),
    )


def _out_of_range(timestamps: pa.TimestampArray) -> dict[int, str]:
    """Return the numbers of the records whose timestamps cannot be used, and why."""
    unusable = pc.indices_nonzero(pc.invert(is_in_range(timestamps))).to_pylist()
    return dict.fromkeys(unusable, "record timestamp out of range")


@cache
def _freeze_modules() -> None:
    """Exempt what the worker has imported from garbage collection, once in the worker's life.

    Spark's workers collect garbage after every task; to go through all modules takes as long as to
    parse 1,000 messages.
    """
    gc.freeze()


@contextmanager
def _garbage_collection_paused() -> Iterator[None]:
    """Pause the search for reference cycles, of which parsing makes none.

    With the search, parsing takes twice as long.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
