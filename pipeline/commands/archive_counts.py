"""The counts, recounted from the archive in batch with the stream's own transforms."""

from datetime import datetime

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from contract.errors import UserError
from contract.instants import from_epoch_ms
from contract.lake import CAMERA
from contract.settings import Settings
from contract.stats import StatsKey
from contract.version_choice import VersionChoice
from pipeline.lake.table_versions import choose_version, read_commit_times
from pipeline.lake.tables import read_table
from pipeline.locations import read_locations
from pipeline.queries.stats import sighting_counts
from pipeline.spark.failures import is_transient, root_cause
from pipeline.spark.reading_session import reading_session


def counts_as_of(settings: Settings, as_of: VersionChoice) -> dict[StatsKey, int]:
    """Recount the archive as it was at a version or time; it may run beside a pipeline.

    Raises UserError if there is none, or it cannot be read any more.
    """
    with reading_session(settings) as spark:
        version = choose_version(as_of, CAMERA, read_commit_times(spark, settings, CAMERA))
        try:
            cameras = read_table(spark, settings, CAMERA, version)
            return recount(spark, settings, cameras)
        except (Py4JJavaError, PySparkException) as error:
            if is_transient(error):
                raise
            raise UserError(
                f"Version {version} of the table {CAMERA} cannot be read any more. Its files or "
                f"log entries have been removed ({root_cause(error)})."
            ) from None


def counts_between(
    spark: SparkSession, settings: Settings, start: datetime, end: datetime
) -> dict[StatsKey, int]:
    """Recount the hours from ``start`` to ``end`` (UTC, whole hours) from the archive as it is."""
    event = F.col("last_event.start_time")
    cameras = read_table(spark, settings, CAMERA).where(
        (event >= F.lit(start))
        & (event < F.lit(end))
        # What counts is on time, so files of other days need not be opened.
        & (F.col("timestamp") >= F.lit(start - settings.clock_skew))
        & (F.col("timestamp") <= F.lit(end + settings.lateness))
    )
    return recount(spark, settings, cameras)


def recount(spark: SparkSession, settings: Settings, cameras: DataFrame) -> dict[StatsKey, int]:
    """Count the sightings of archive rows by zip code and hour."""
    locations = read_locations(spark, settings.device_locations)
    counts = cameras.transform(sighting_counts, locations, settings).select(
        "zip_code",
        F.unix_seconds("window.start").alias("start"),
        F.unix_seconds("window.end").alias("end"),
        "count",
    )
    return {
        StatsKey(row["zip_code"], _utc(row["start"]), _utc(row["end"])): int(row["count"])
        for row in counts.collect()
    }


def _utc(seconds: int) -> datetime:
    return from_epoch_ms(seconds * 1000)
