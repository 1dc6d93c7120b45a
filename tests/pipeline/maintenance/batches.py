"""Batches of the archive: each a small file of the table camera."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from contract.settings import Settings
from pipeline.lake.exactly_once import append_once
from pipeline.schema import camera_table_schema


def append(spark: SparkSession, settings: Settings, batch: int) -> None:
    """Append a batch: a row of each of two devices."""
    given = {
        "device_id": F.concat(F.lit("cam"), F.col("id").cast("string")),
        "partition": F.lit(0),
        "offset": F.lit(batch) * 2 + F.col("id"),
        "timestamp": F.timestamp_seconds(F.lit(1_763_000_000 + batch)),
    }
    columns = [
        given.get(field.name, F.lit(None)).cast(field.dataType).alias(field.name)
        for field in camera_table_schema()
    ]
    rows = spark.range(2).select(*columns).coalesce(1)
    append_once(rows, "camera", settings=settings, query_id="query", batch_id=batch)
