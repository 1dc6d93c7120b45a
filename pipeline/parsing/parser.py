"""From records of nest-logs to camera rows, or to quarantine rows, in Spark's Python workers.

Spark hands its rows over in Arrow batches. The archive and the counts both use these parsers, so
the rules for bad input are the same for both.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql.types import StructType

from contract.lake import POSITION
from contract.redaction import redact_text
from pipeline.parsing.parsed_batch import Rejection, is_in_range, parse_batches
from pipeline.parsing.rejection_counter import RejectionCounter
from pipeline.schema import POSITION_SCHEMA, QUARANTINE_SCHEMA, arrow_struct


class Parser(Protocol):
    """Turns batches of (value, partition, offset, timestamp) into rows of its ``schema``."""

    @property
    def schema(self) -> StructType:
        """The columns of the rows."""

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Parse the batches."""


def parse_records(records: DataFrame, parser: Parser) -> DataFrame:
    """Parse nest-logs records, as the Kafka source gives them, into the parser's rows."""
    return records.select("value", *POSITION).mapInArrow(parser, parser.schema)


@dataclass(frozen=True)
class CameraParser:
    """Gives one row per camera: the fields of ``camera`` and the position of its record.

    ``counter``, if there is one, counts the records that belong in quarantine.
    """

    camera: StructType
    counter: RejectionCounter | None = None

    @property
    def schema(self) -> StructType:
        """The camera's fields and its record's partition, offset and timestamp."""
        return StructType([*self.camera, *POSITION_SCHEMA])

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Parse the batches."""
        schema = pa.schema(list(arrow_struct(self.schema)))
        for parsed in parse_batches(batches, arrow_struct(self.camera)):
            position = parsed.records.select(POSITION).take(parsed.record_numbers)
            columns = [*parsed.cameras.flatten(), *position.columns]
            yield pa.record_batch(columns, schema=schema)
            if self.counter is not None:
                self.counter.add(parsed)


@dataclass(frozen=True)
class RejectionParser:
    """Gives one row per record and reason why something in the record is wrong."""

    camera: StructType
    clock_skew: timedelta
    """How far an event may be ahead of its record's timestamp."""

    @property
    def schema(self) -> StructType:
        """The columns of the table ``quarantine``."""
        return QUARANTINE_SCHEMA

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Parse the batches."""
        for parsed in parse_batches(batches, arrow_struct(self.camera)):
            rejections = parsed.rejections(self.clock_skew)
            if rejections:
                yield _quarantine_rows(parsed.records, rejections)


def _quarantine_rows(records: pa.RecordBatch, rejections: list[Rejection]) -> pa.RecordBatch:
    """Return the rejections, each with the position and the redacted value of its record."""
    rejected = records.take(pa.array([rejection.record for rejection in rejections]))
    partition, offset, timestamp = rejected.select(POSITION).columns
    columns = [
        partition,
        offset,
        pc.if_else(is_in_range(timestamp), timestamp, None),
        [rejection.reason for rejection in rejections],
        [rejection.detail for rejection in rejections],
        [_raw(value) for value in rejected["value"].to_pylist()],
    ]
    return pa.record_batch(columns, schema=pa.schema(list(arrow_struct(QUARANTINE_SCHEMA))))


def _raw(value: bytes | None) -> str | None:
    return None if value is None else redact_text(value.decode(errors="replace"))
