"""published: the job of the article of 2017, with only its evident bugs mended.

"Processing Data in Apache Kafka with Structured Streaming in Apache Spark 2.2": two queries, each
of which parses every field of the whole document with a ``timestampFormat``; ``complete`` mode,
which writes every count on every trigger and never forgets one; a Parquet archive; the default of
200 shuffle partitions; no watermark, and no notion of a re-send: it counts rows. Mended are the
format's ``ss.sss``, which reads milliseconds as seconds, and the time zone. Its session is Spark's
own, untuned; cores, heap and connector are the same.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming.query import StreamingQuery

from bench.contenders.spark import Work, stock_session
from contract.settings import Settings
from contract.topics import CAMERA_STATS, NEST_LOGS
from pipeline.schema import message_schema

_TIMESTAMP = "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'"


@contextmanager
def published(settings: Settings) -> Iterator[Work]:
    """Archive to Parquet and count rows, both queries at once."""
    with stock_session(settings) as spark:

        def work(settings: Settings) -> None:
            counting = _count(spark, settings)
            archiving = _archive(spark, settings)
            counting.awaitTermination()
            archiving.awaitTermination()

        yield work


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


def _count(spark: SparkSession, settings: Settings) -> StreamingQuery:
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


def _archive(spark: SparkSession, settings: Settings) -> StreamingQuery:
    return (
        _cameras(spark, settings)
        .writeStream.format("parquet")
        .option("path", f"{settings.lake}/camera")
        .option("checkpointLocation", f"{settings.checkpoints}/published-archive")
        .trigger(availableNow=True)
        .start()
    )
