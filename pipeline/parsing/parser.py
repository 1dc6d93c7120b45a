"""From records of nest-logs to camera rows and quarantine rows, in Spark's Python workers.

Spark hands its rows over in Arrow batches, several times as fast as ``from_json`` reads the same
fields. Archive and counts both come through here, so that the rules for bad input are the same.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import cache

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql.types import StructType

from contract.lake import FUTURE
from contract.redaction import redact_text
from pipeline.parsing.decode import Decoded, Decoder
from pipeline.schema import POSITION, VERDICT, arrow_struct


@dataclass(frozen=True)
class Parser:
    """Parses records into camera rows and, with ``clock_skew`` set, quarantine rows.

    ``camera`` is the schema of the camera's fields to keep; ``clock_skew`` is how far an event may
    be ahead of its record. Without it (counting needs none) no quarantine rows are made.
    """

    camera: StructType
    clock_skew: timedelta | None = None

    @property
    def schema(self) -> StructType:
        """The camera's fields, its record's position and, with quarantine, the verdict.

        A row is a camera (``reason`` null) or one reason why its record is in quarantine.
        """
        verdict = VERDICT if self.clock_skew is not None else StructType()
        return StructType([*self.camera, *POSITION, *verdict])

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Parse batches of (value, partition, offset, timestamp) into rows of ``schema``."""
        _freeze_modules()
        decoder = Decoder(arrow_struct(self.camera))
        output = pa.schema(list(arrow_struct(self.schema)))
        for records in batches:
            with _without_garbage_collection():
                decoded, fields = decoder.decode(records.column("value"))
                cameras = _cameras(records, decoded, fields)
            yield _conformed(cameras, output)
            if self.clock_skew is not None:
                _judge_future(cameras, decoded, records, self.clock_skew)
                if any(record.reasons for record in decoded):
                    yield _conformed(_quarantine(records, decoded), output)


def parsed(records: DataFrame, parser: Parser) -> DataFrame:
    """Parse nest-logs records, as the Kafka source gives them, into the parser's rows."""
    return records.select("value", "partition", "offset", "timestamp").mapInArrow(
        parser, parser.schema
    )


def _cameras(
    records: pa.RecordBatch, decoded: list[Decoded], rows: pa.StructArray
) -> dict[str, pa.Array]:
    """Return the camera rows, and in ``record`` which of the records each is of."""
    owner = pa.array([i for i, record in enumerate(decoded) for _ in record.cameras], pa.int32())
    position = {name: records.column(name).take(owner) for name in POSITION.names}
    fields = dict(zip(rows.type.names, rows.flatten(), strict=True))
    return {**fields, **position, "record": owner}


def _judge_future(
    cameras: dict[str, pa.Array], decoded: list[Decoded], records: pa.RecordBatch, skew: timedelta
) -> None:
    """Note the records with an event that starts later than ``skew`` after their timestamp."""
    start = pc.struct_field(cameras["last_event"], "start_time")
    ahead = pc.greater(start, pc.add(cameras["timestamp"], pa.scalar(skew, pa.duration("us"))))
    devices: dict[int, list[str]] = {}
    for row in pc.indices_nonzero(pc.fill_null(ahead, False)).to_pylist():
        devices.setdefault(cameras["record"][row].as_py(), []).append(
            cameras["device_id"][row].as_py()
        )
    for record, ids in devices.items():
        decoded[record].reasons[FUTURE] = ", ".join(sorted(ids))


def _quarantine(records: pa.RecordBatch, decoded: list[Decoded]) -> dict[str, pa.Array]:
    """Return a row for each record and reason, with what the record's value was, redacted."""
    rows = [
        (number, reason, detail)
        for number, record in enumerate(decoded)
        for reason, detail in record.reasons.items()
    ]
    numbers = [number for number, _, _ in rows]
    values = records.column("value").take(pa.array(numbers, pa.int32())).to_pylist()
    raw = [None if v is None else redact_text(v.decode(errors="replace")) for v in values]
    position = {name: records.column(name).take(pa.array(numbers)) for name in POSITION.names}
    return {
        **position,
        "reason": pa.array([reason for _, reason, _ in rows], pa.string()),
        "detail": pa.array([redact_text(detail) for _, _, detail in rows], pa.string()),
        "raw": pa.array(raw, pa.string()),
    }


def _conformed(columns: dict[str, pa.Array], output: pa.Schema) -> pa.RecordBatch:
    """Return the columns in the output's order, with nulls for those that are not there."""
    rows = len(columns["timestamp"])
    return pa.record_batch(
        [
            columns[field.name] if field.name in columns else pa.nulls(rows, field.type)
            for field in output
        ],
        schema=output,
    )


@cache
def _freeze_modules() -> None:
    """Take what a worker has imported out of the search for cycles, once in its life.

    Spark's workers search everything after every task, which takes as long as 1,000 messages do.
    """
    gc.freeze()


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Pause the search for cycles, which parsed documents do not have: half of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
