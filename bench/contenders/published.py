"""The contender ``published``: the job of an article of 2017, with two bugs fixed.

The article is "Processing Data in Apache Kafka with Structured Streaming in Apache Spark 2.2". Its
job has two queries. Each parses every field of the whole document with a ``timestampFormat``. The
counts use ``complete`` mode, which writes every count on every trigger and never frees state. There
is no watermark. Re-sends are counted again, because the job counts rows. The archive is Parquet.

The fixed bugs are the format ``ss.sss``, which reads milliseconds as seconds, and the time zone.
The session has Spark's own defaults, such as 200 shuffle partitions. Cores, heap and connector are
the same as for the other contenders.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming.query import StreamingQuery

from bench.contenders.registry import Job
from bench.contenders.spark import default_session
from contract.lake import CAMERA, table_location
from contract.settings import Settings
from contract.topics import CAMERA_STATS, NEST_LOGS
from pipeline.schema import message_schema

_TIMESTAMP = "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'"


@contextmanager
def published(settings: Settings) -> Iterator[Job]:
    """Write the Parquet archive and count rows, with both queries at the same time."""
    with default_session(settings) as spark:

        def job(settings: Settings) -> None:
            counts = _count_rows(spark, settings)
            archive = _write_archive(spark, settings)
            counts.awaitTermination()
            archive.awaitTermination()

        yield job


def _cameras(spark: SparkSession, settings: Settings) -> DataFrame:
    parsed = F.from_json(
        F.col("value").cast("string"), message_schema(), {"timestampFormat": _TIMESTAMP}
    )
    return (
        spark.readStream.format("kafka")
        .option("kafka.bootstrap.servers", settings.bootstrap_servers)
        .option("subscribe", NEST_LOGS.name)
        .option("startingOffsets", settings.starting_offsets)
        .load()
        .select(parsed.alias("parsed_value"))
        .select(F.explode("parsed_value.devices.cameras"))
        .select("value.*")
    )


def _count_rows(spark: SparkSession, settings: Settings) -> StreamingQuery:
    locations = spark.read.option("header", True).csv(settings.device_locations)
    return (
        _cameras(spark, settings)
        .select("device_id", "last_event.has_person", "last_event.start_time")
        .where("has_person = true")
        .join(locations.select("device_id", "zip_code"), "device_id")
        .groupBy("zip_code", F.window("start_time", "1 hour"))
        .count()
        .select(
            F.to_json(F.struct("zip_code", "window")).alias("key"),
            F.col("count").cast("string").alias("value"),
        )
        .writeStream.format("kafka")
        .option("kafka.bootstrap.servers", settings.bootstrap_servers)
        .option("topic", CAMERA_STATS.name)
        .option("checkpointLocation", f"{settings.checkpoints}/published-stats")
        .outputMode("complete")
        .trigger(availableNow=True)
        .start()
    )


def _write_archive(spark: SparkSession, settings: Settings) -> StreamingQuery:
    return (
        _cameras(spark, settings)
        .writeStream.format("parquet")
        .option("path", table_location(settings.lake, CAMERA))
        .option("checkpointLocation", f"{settings.checkpoints}/published-archive")
        .trigger(availableNow=True)
        .start()
    )
