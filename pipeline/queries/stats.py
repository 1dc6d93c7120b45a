"""stats: people seen per zip code and hour, counted as the messages come, to nest-camera-stats."""

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from contract.errors import UserError
from contract.queries import STATS
from contract.settings import Settings
from contract.topics import CAMERA_STATS
from pipeline.locations import digest, read_locations
from pipeline.parsing.parser import Parser, parsed
from pipeline.schema import sighting_schema
from pipeline.source import stream_records
from pipeline.storage import Storage
from pipeline.transforms import (
    hourly_counts,
    on_time,
    person_events,
    placed,
    sightings,
    stats_records,
)

NAME = STATS

_RECORDS_PER_TASK = 20_000


def start(spark: SparkSession, settings: Settings, trigger: dict[str, object]) -> StreamingQuery:
    """Start the query; ``trigger`` is what ``DataStreamWriter.trigger`` takes."""
    locations = read_locations(spark, settings.device_locations)
    _refuse_other_locations(spark, settings, digest(locations))
    query: StreamingQuery = (
        stream_records(spark, settings, _RECORDS_PER_TASK)
        .transform(camera_stats, locations, settings)
        .writeStream.queryName(NAME)
        .outputMode("update")
        .format("kafka")
        .option("kafka.bootstrap.servers", settings.bootstrap_servers)
        .option("topic", CAMERA_STATS.name)
        .option("checkpointLocation", f"{settings.checkpoints}/{NAME}")
        .trigger(**trigger)  # type: ignore[call-overload]
        .start()
    )
    return query


def camera_stats(records: DataFrame, locations: DataFrame, settings: Settings) -> DataFrame:
    """Turn nest-logs records into nest-camera-stats records; the same for a stream and a batch."""
    return (
        records.transform(parsed, Parser(sighting_schema()))
        .transform(person_events)
        .transform(on_time, settings.lateness, settings.clock_skew)
        .transform(sightings, settings.watermark)
        .transform(placed, locations)
        .transform(hourly_counts)
        .transform(stats_records)
    )


def forget(spark: SparkSession, settings: Settings) -> None:
    """Remove the query's checkpoint, so that its next start counts from the first message."""
    _digest_file(spark, settings).delete()
    Storage(spark, f"{settings.checkpoints}/{NAME}").delete()


def _refuse_other_locations(spark: SparkSession, settings: Settings, found: str) -> None:
    """Keep counts that were begun with one table of places from going on with another."""
    kept = _digest_file(spark, settings)
    if not kept.exists():
        kept.write_text(found)
    elif kept.read_text() != found:
        raise UserError(
            f"The counts were begun with another table than NEST_DEVICE_LOCATIONS="
            f"{settings.device_locations}. Set it back, or rebuild the counts from the first "
            "message with `nest pipeline --rebuild-counts`."
        )


def _digest_file(spark: SparkSession, settings: Settings) -> Storage:
    return Storage(spark, f"{settings.checkpoints}/{NAME}.device_locations")
