"""The steps from camera rows to counts, pure functions from DataFrame to DataFrame.

They are the same for a stream and for a batch.
"""

from datetime import timedelta

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from contract.duration import format_duration
from contract.stats import UNPLACED
from pipeline.timestamp_formats import MILLISECONDS


def person_events(cameras: DataFrame) -> DataFrame:
    """Keep the camera events in which a person was seen.

    Takes device_id, last_event and the record's timestamp; gives device_id, start_time, timestamp.
    The same event comes again in every message until its camera has a newer one.
    """
    return cameras.where("last_event.has_person AND last_event.start_time IS NOT NULL").select(
        "device_id", F.col("last_event.start_time").alias("start_time"), "timestamp"
    )


def on_time(events: DataFrame, lateness: timedelta, clock_skew: timedelta) -> DataFrame:
    """Keep the records whose timestamp is near enough to their event, both limits included.

    At most ``clock_skew`` before the start of the event, at most ``lateness`` after it. Only the
    record's own timestamp matters, so the counts depend on what is in the topic and not on how
    it was cut into batches.
    """
    timestamp, start_time = F.col("timestamp"), F.col("start_time")
    return events.where(
        (timestamp >= start_time - F.lit(clock_skew)) & (timestamp <= start_time + F.lit(lateness))
    )


def sightings(events: DataFrame, watermark: timedelta) -> DataFrame:
    """Keep one row per sighting: a distinct (device_id, start_time).

    In a stream, Spark remembers a sighting until events that are newer by ``watermark`` have come.
    """
    return (
        events.select("device_id", "start_time")
        .withWatermark("start_time", format_duration(watermark))
        .dropDuplicates(["device_id", "start_time"])
    )


def with_zip_codes(sightings: DataFrame, locations: DataFrame) -> DataFrame:
    """Add each sighting's zip_code; ``unknown`` where its device has no known location.

    Unless ``locations`` asks to be broadcast, it stays where it is, and the sightings come to it.
    """
    return (
        sightings.hint("shuffle_hash")
        .join(locations, "device_id", "left")
        .withColumn("zip_code", F.coalesce("zip_code", F.lit(UNPLACED)))
    )


def hourly_counts(sightings: DataFrame) -> DataFrame:
    """Count sightings per zip_code and one-hour window of start_time (UTC).

    Gives zip_code, window {start, end}, count.
    """
    return sightings.groupBy("zip_code", F.window("start_time", "1 hour")).count()


def stats_records(counts: DataFrame) -> DataFrame:
    """Turn counts into records of nest-camera-stats.

    The key is zip code and window as JSON, the value the count as decimal text.
    """
    key = F.to_json(F.struct("zip_code", "window"), {"timestampFormat": MILLISECONDS})
    return counts.select(key.alias("key"), F.col("count").cast("string").alias("value"))
