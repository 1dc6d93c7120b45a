"""Rows for small Delta tables: who was seen when, one sighting a minute."""

from datetime import UTC, datetime

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

MIDNIGHT = datetime(2026, 3, 4, tzinfo=UTC)


def sightings(
    spark: SparkSession, first: int, last: int, zip_code: str = "94304", cameras: int = 4
) -> DataFrame:
    """Return the sightings of the minutes ``first`` up to, not including, ``last`` after midnight.

    Columns device_id (cam0, cam1, ... in turn), zip_code, start_time. Written, they are one file.
    """
    minute = F.col("id")
    return spark.range(first, last, numPartitions=1).select(
        F.format_string("cam%d", minute % cameras).alias("device_id"),
        F.lit(zip_code).alias("zip_code"),
        F.timestamp_seconds(minute * 60 + int(MIDNIGHT.timestamp())).alias("start_time"),
    )


def append(rows: DataFrame, table: str) -> None:
    """Append rows to a Delta table by path, as one commit; the first one creates the table."""
    rows.write.format("delta").mode("append").save(table)
