"""Messages to cameras, to sightings and to counts, declared: a function says what its table holds.

``spark-pipelines`` imports this file, asks each function for its query, and finds out from the
tables that they read in which order they are filled. The functions themselves read nothing. Spark
4.2 limits what they may say: no ``mapInArrow``, and with it not the pipeline's own parser, and no
watermark on a table of the same pipeline, as both need a schema that is not known yet.
"""

from pyspark import pipelines as dp
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from contract import lake
from contract.settings import load_settings
from pipeline.counting import hourly_counts, on_time, person_events, sightings, with_zip_codes
from pipeline.schema import sighting_schema

SETTINGS = load_settings()
CAMERAS = f"devices STRUCT<cameras: MAP<STRING, {sighting_schema().simpleString()}>>"
spark = SparkSession.active()


def cameras() -> DataFrame:
    """Parse the cameras of every message, as a stream."""
    document = F.from_json(F.col("value").cast("string"), CAMERAS)
    return (
        spark.readStream.format("delta")
        .load(lake.table_location(SETTINGS.lake, "messages"))
        .select(F.explode(document.devices.cameras).alias("key", "camera"), "timestamp")
        .select("camera.*", "timestamp")
    )


@dp.table
def camera() -> DataFrame:
    """Keep all cameras; a streaming table, to which each run adds what is new."""
    return cameras()


@dp.table
def sighting() -> DataFrame:
    """Keep each sighting once, with its zip code; the state is in the storage of the pipeline."""
    locations = spark.read.option("header", "true").csv(SETTINGS.device_locations)
    return (
        cameras()
        .transform(person_events)
        .transform(on_time, SETTINGS.lateness, SETTINGS.clock_skew)
        .transform(sightings, SETTINGS.watermark)
        .transform(with_zip_codes, locations.select("device_id", "zip_code"))
    )


@dp.materialized_view
def counts() -> DataFrame:
    """Count per zip code and hour; a materialized view, which each run makes anew."""
    return spark.read.table("sighting").transform(hourly_counts)
