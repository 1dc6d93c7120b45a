"""The batch report in Spark: the latest count per zip code and hour, above a threshold.

``nest report`` gives the same without Spark.
"""

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from contract.settings import Settings
from contract.topics import CAMERA_STATS
from pipeline.source import read_topic

_KEY = "zip_code STRING, window STRUCT<start: TIMESTAMP, end: TIMESTAMP>"


def read_stats_records(spark: SparkSession, settings: Settings) -> DataFrame:
    """Return all records of nest-camera-stats, superseded values and tombstones included."""
    return read_topic(spark, settings, CAMERA_STATS)


def latest_counts(records: DataFrame) -> DataFrame:
    """Keep the newest value of each key: zip_code, window_start, window_end (UTC), count.

    Filtering all records would be wrong: a compacted topic still holds superseded values until its
    cleaner has run. A tombstone removes its key; a record that is no count is ignored.
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
        .agg(F.max_by("value", "offset").cast("bigint").alias("count"))
        .where("count IS NOT NULL")
    )


def above_threshold(counts: DataFrame, threshold: int) -> DataFrame:
    """Keep the counts above the threshold, highest first."""
    return counts.where(F.col("count") > threshold).orderBy(
        F.desc("count"), "zip_code", "window_start"
    )
