"""The batch report in Spark: the latest count per key, above the threshold."""

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from contract.settings import Settings
from contract.topics import CAMERA_STATS

_KEY = "zip_code STRING, window STRUCT<start: TIMESTAMP, end: TIMESTAMP>"


def read_stats(spark: SparkSession, settings: Settings) -> DataFrame:
    """Return all records of nest-camera-stats, superseded ones and tombstones among them."""
    return (
        spark.read.format("kafka")
        .option("kafka.bootstrap.servers", settings.bootstrap_servers)
        .option("subscribe", CAMERA_STATS.name)
        .load()
    )


def latest_counts(records: DataFrame) -> DataFrame:
    """Fold the records by key, the newest winning: zip_code, window_start, window_end, count.

    Never a filter over all records: a compacted topic still holds superseded values until its
    cleaner has run. Records that are no count are passed over, tombstones remove their key.
    """
    key = F.from_json(F.col("key").cast("string"), _KEY)
    value = F.col("value").cast("string")
    return (
        records.select(key.alias("key"), value.alias("value"), "offset")
        .where("key.zip_code IS NOT NULL AND key.window.start IS NOT NULL")
        .where("value IS NULL OR value RLIKE '^[0-9]{1,18}$'")
        .groupBy(
            F.col("key.zip_code").alias("zip_code"),
            F.col("key.window.start").alias("window_start"),
            F.col("key.window.end").alias("window_end"),
        )
        .agg(F.max_by(F.struct("value"), "offset").alias("newest"))
        .where("newest.value IS NOT NULL")
        .withColumn("count", F.col("newest.value").cast("bigint"))
        .drop("newest")
    )


def above(counts: DataFrame, threshold: int) -> DataFrame:
    """Keep the counts above the threshold, highest first."""
    return counts.where(F.col("count") > threshold).orderBy(
        F.desc("count"), "zip_code", "window_start"
    )
