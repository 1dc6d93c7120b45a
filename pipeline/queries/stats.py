"""stats: people seen per zip code and hour, counted as the messages come, to nest-camera-stats."""

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from contract.errors import UserError
from contract.queries import STATS
from contract.settings import Settings
from contract.topics import CAMERA_STATS
from pipeline.checkpoints import checkpoint_uri
from pipeline.locations import locations_digest, read_locations
from pipeline.parsing.parser import CameraParser, parse_records
from pipeline.schema import sighting_schema
from pipeline.source import stream_records
from pipeline.storage import Storage
from pipeline.transforms import (
    hourly_counts,
    on_time,
    person_events,
    sightings,
    stats_records,
    with_zip_codes,
)

NAME = STATS

_RECORDS_PER_TASK = 20_000


def start(spark: SparkSession, settings: Settings, trigger: dict[str, object]) -> StreamingQuery:
    """Start the query; ``trigger`` is what ``DataStreamWriter.trigger`` takes."""
    locations = read_locations(spark, settings.device_locations)
    _refuse_other_locations(spark, settings, locations_digest(locations))
    query: StreamingQuery = (
        stream_records(spark, settings, _RECORDS_PER_TASK)
        .transform(camera_stats, locations, settings)
        .writeStream.queryName(NAME)
        .outputMode("update")
        .format("kafka")
        .option("kafka.bootstrap.servers", settings.bootstrap_servers)
        .option("topic", CAMERA_STATS.name)
        .option("checkpointLocation", checkpoint_uri(settings, NAME))
        .trigger(**trigger)  # type: ignore[call-overload]
        .start()
    )
    return query


def camera_stats(records: DataFrame, locations: DataFrame, settings: Settings) -> DataFrame:
    """Turn nest-logs records into nest-camera-stats records; the same for a stream and a batch."""
    return (
        records.transform(parse_records, CameraParser(sighting_schema()))
        .transform(person_events)
        .transform(on_time, settings.lateness, settings.clock_skew)
        .transform(sightings, settings.watermark)
        .transform(with_zip_codes, locations)
        .transform(hourly_counts)
        .transform(stats_records)
    )


def delete_checkpoint(spark: SparkSession, settings: Settings) -> None:
    """Delete the query's state, so that its next start counts from the first message.

    The digest of the device locations goes too: that start may use another table.
    """
    _digest_file(spark, settings).delete()
    Storage(spark, checkpoint_uri(settings, NAME)).delete()


def _refuse_other_locations(spark: SparkSession, settings: Settings, digest: str) -> None:
    """Raise UserError if the counts were begun with another table of device locations."""
    file = _digest_file(spark, settings)
    if not file.exists():
        file.write_text(digest)
    elif file.read_text() != digest:
        raise UserError(
            f"The counts were begun with another table than NEST_DEVICE_LOCATIONS="
            f"{settings.device_locations}. Set it back, or rebuild the counts from the first "
            "message with `nest pipeline --rebuild-counts`."
        )


def _digest_file(spark: SparkSession, settings: Settings) -> Storage:
    return Storage(spark, f"{checkpoint_uri(settings, NAME)}.device_locations")
