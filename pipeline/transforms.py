"""The steps from camera rows to counts, each a pure function from DataFrame to DataFrame.

They are the same for a stream and for a batch.
"""

from datetime import timedelta

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from contract.duration import format_duration
from contract.stats import UNPLACED

_INSTANT = "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'"


def person_events(cameras: DataFrame) -> DataFrame:
    """Keep the camera events in which a person was seen.

    Takes device_id, last_event and the record's timestamp; gives device_id, start_time, timestamp.
    The same event comes again and again, as long as it is its camera's last.
    """
    return cameras.where("last_event.has_person AND last_event.start_time IS NOT NULL").select(
        "device_id", F.col("last_event.start_time").alias("start_time"), "timestamp"
    )


def on_time(events: DataFrame, lateness: timedelta, clock_skew: timedelta) -> DataFrame:
    """Keep the records that may count for their event, both limits included.

    A record is judged by its own timestamp, so that counts depend on what is in the topic and not
    on how it was cut into batches.
    """
    timestamp, start_time = F.col("timestamp"), F.col("start_time")
    return events.where(
        (timestamp >= start_time - F.lit(clock_skew)) & (timestamp <= start_time + F.lit(lateness))
    )


def sightings(events: DataFrame, watermark: timedelta) -> DataFrame:
    """Keep one row per sighting: a distinct (device_id, start_time).

    In a stream, ``watermark`` says when a sighting may be forgotten: its state is freed once events
    that much newer have come.
    """
    return (
        events.select("device_id", "start_time")
        .withWatermark("start_time", format_duration(watermark))
        .dropDuplicates(["device_id", "start_time"])
    )


def placed(sightings: DataFrame, locations: DataFrame) -> DataFrame:
    """Add each sighting's zip_code; ``unknown`` where its device has no known place."""
    return sightings.join(F.broadcast(locations), "device_id", "left").withColumn(
        "zip_code", F.coalesce("zip_code", F.lit(UNPLACED))
    )


def hourly_counts(sightings: DataFrame) -> DataFrame:
    """Count sightings per zip_code and one-hour window of start_time (UTC).

    Gives zip_code, window {start, end}, count.
    """
    return sightings.groupBy("zip_code", F.window("start_time", "1 hour")).count()


def stats_records(counts: DataFrame) -> DataFrame:
    """Write counts as records of nest-camera-stats: key zip code and window, value the count."""
    key = F.to_json(F.struct("zip_code", "window"), {"timestampFormat": _INSTANT})
    return counts.select(key.alias("key"), F.col("count").cast("string").alias("value"))
