"""From records of nest-logs to camera rows and quarantine rows, in Spark's Python workers.

Spark hands its rows over in Arrow batches. Clean records, nearly all of them, are parsed by orjson
and laid out in columns by Arrow, several times as fast as ``from_json`` of the same fields; where
one is unusual it is judged by itself (:mod:`pipeline.judge`). Archive and counts both come through
here, so that the rules for bad input are the same for both.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

import orjson
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql.types import StructType

from contract.redaction import redact_text
from pipeline.columns import Layout, Unusual
from pipeline.judge import DEPTH, FUTURE, Camera, Judged, Malformed, cameras_of, judge
from pipeline.schema import POSITION, VERDICT, arrow_struct

_SLICE = 256
"""Records laid out at once; if one of them is unusual, each is looked at by itself."""


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
        wanted = arrow_struct(self.camera)
        layout = Layout(wanted)
        output = pa.schema(list(arrow_struct(self.schema)))
        for batch in batches:
            for start in range(0, batch.num_rows, _SLICE):
                records = batch.slice(start, _SLICE)
                with _without_garbage_collection():
                    judged, columns = _judged(records.column("value").to_pylist(), layout, wanted)
                    cameras = _cameras(records, judged, columns)
                yield _conformed(cameras, output)
                if self.clock_skew is not None:
                    _judge_future(cameras, judged, records, self.clock_skew)
                    if any(record.reasons for record in judged):
                        yield _conformed(_quarantine(records, judged), output)


def parsed(records: DataFrame, parser: Parser) -> DataFrame:
    """Parse nest-logs records, as the Kafka source gives them, into the parser's rows."""
    return records.select("value", "partition", "offset", "timestamp").mapInArrow(
        parser, parser.schema
    )


def _judged(
    values: list[bytes | None], layout: Layout, wanted: pa.StructType
) -> tuple[list[Judged], pa.StructArray]:
    """Read records together if all are clean, else one by one; return also their cameras."""
    try:
        judged = [Judged(_clean_cameras(value)) for value in values]
        return judged, layout.columns(_all_cameras(judged))
    except Unusual:
        judged = [_judged_alone(value, layout, wanted) for value in values]
        return judged, layout.columns(_all_cameras(judged))


def _judged_alone(value: bytes | None, layout: Layout, wanted: pa.StructType) -> Judged:
    try:
        clean = Judged(_clean_cameras(value))
        layout.columns(clean.cameras)
    except Unusual:
        return judge(value, wanted)
    return clean


def _clean_cameras(value: bytes | None) -> list[Camera]:
    """Return the cameras of a record that is plainly a document; raises Unusual if it is not."""
    if value is None or value.count(b"{") + value.count(b"[") > DEPTH:
        raise Unusual
    try:
        cameras = [camera for _, camera in cameras_of(orjson.loads(value))]
    except (orjson.JSONDecodeError, Malformed):
        raise Unusual from None
    for camera in cameras:
        device_id = camera and camera.get("device_id")
        if not device_id or type(device_id) is not str:
            raise Unusual
    return cameras


def _all_cameras(judged: list[Judged]) -> list[Camera]:
    return [camera for record in judged for camera in record.cameras]


def _cameras(
    records: pa.RecordBatch, judged: list[Judged], columns: pa.StructArray
) -> dict[str, pa.Array]:
    """Return the camera rows, and in ``record`` which of the records each is of."""
    owner = pa.array([i for i, record in enumerate(judged) for _ in record.cameras], pa.int32())
    position = {name: records.column(name).take(owner) for name in POSITION.names}
    fields = dict(zip(columns.type.names, columns.flatten(), strict=True))
    return {**fields, **position, "record": owner}


def _judge_future(
    cameras: dict[str, pa.Array], judged: list[Judged], records: pa.RecordBatch, skew: timedelta
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
        judged[record].reasons[FUTURE] = ", ".join(sorted(ids))


def _quarantine(records: pa.RecordBatch, judged: list[Judged]) -> dict[str, pa.Array]:
    """Return a row for each record and reason, with what the record's value was, redacted."""
    rows = [
        (number, reason, detail)
        for number, record in enumerate(judged)
        for reason, detail in record.reasons.items()
    ]
    numbers = [number for number, _, _ in rows]
    values = records.column("value").take(pa.array(numbers, pa.int32())).to_pylist()
    raw = [None if v is None else redact_text(v.decode(errors="replace")) for v in values]
    position = {name: records.column(name).take(pa.array(numbers)) for name in POSITION.names}
    return {
        **position,
        "reason": pa.array([reason for _, reason, _ in rows], pa.string()),
        "detail": pa.array([detail for _, _, detail in rows], pa.string()),
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


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Pause the search for cycles, which parsed documents do not have: half of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
