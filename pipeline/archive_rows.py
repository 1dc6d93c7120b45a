"""What the archive makes of records of nest-logs: the same in a stream's batch and in a repair."""

from datetime import timedelta

from pyspark.sql import DataFrame

from contract.forgotten import Forgotten
from pipeline.lake.forgotten import records_without_forgotten, rows_without_forgotten
from pipeline.parsing.parser import CameraParser, RejectionParser, parse_records
from pipeline.parsing.rejection_counter import RejectionCounter
from pipeline.schema import camera_schema


def camera_rows(
    records: DataFrame, forgotten: Forgotten | None, counter: RejectionCounter | None = None
) -> DataFrame:
    """Return the rows of the table ``camera``, without those of who is forgotten.

    While they are written, ``counter`` counts what quarantine would get.
    """
    parser = CameraParser(camera_schema(), counter)
    rows = records_without_forgotten(records, forgotten).transform(parse_records, parser)
    return rows_without_forgotten(rows, forgotten)


def quarantine_rows(
    records: DataFrame, forgotten: Forgotten | None, clock_skew: timedelta
) -> DataFrame:
    """Return the rows of the table ``quarantine``, without those of who is forgotten."""
    parser = RejectionParser(camera_schema(), clock_skew)
    rows = records_without_forgotten(records, forgotten).transform(parse_records, parser)
    return rows_without_forgotten(rows, forgotten)
