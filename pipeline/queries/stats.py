"""stats: people seen per zip code and hour, counted as the messages come, to nest-camera-stats."""

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from contract.duration import format_duration
from contract.queries import STATS
from contract.settings import Settings
from contract.topics import CAMERA_STATS
from pipeline.checkpoints import (
    beside_checkpoint,
    checkpoint_uri,
    has_checkpoint,
    newest_batches,
)
from pipeline.locations import locations_digest, read_locations
from pipeline.origin import (
    Origin,
    delete_origin,
    keep_origin,
    read_origin,
    require_same_rules,
    require_same_topic,
    topic_id,
)
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
    _require_own_checkpoint(spark, settings, locations_digest(locations))
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

    What it began with goes, too: that start may use other rules and other device locations.
    """
    Storage(spark, checkpoint_uri(settings, NAME)).delete()
    delete_origin(spark, settings, NAME)
    _older_digest_file(spark, settings).delete()


def _require_own_checkpoint(spark: SparkSession, settings: Settings, digest: str) -> None:
    """Raise UserError if the counts were begun with another topic, other rules or locations."""
    rules = {
        "NEST_LATENESS": format_duration(settings.lateness),
        "NEST_CLOCK_SKEW": format_duration(settings.clock_skew),
        "table than NEST_DEVICE_LOCATIONS": digest,
    }
    now = Origin(topic_id(settings), rules=rules)
    if has_checkpoint(spark, settings, NAME):
        newest_batches(spark, settings, NAME)
        if kept := read_origin(spark, settings, NAME) or _older_origin(spark, settings, now):
            require_same_topic(NAME, kept, now, settings)
            require_same_rules(kept, now)
    keep_origin(spark, settings, NAME, now)


def _older_origin(spark: SparkSession, settings: Settings, now: Origin) -> Origin | None:
    """Return what a version kept that knew only the digest of the device locations."""
    file = _older_digest_file(spark, settings)
    if not file.exists():
        return None
    return Origin(now.topic_id, rules={"table than NEST_DEVICE_LOCATIONS": file.read_text()})


def _older_digest_file(spark: SparkSession, settings: Settings) -> Storage:
    return beside_checkpoint(spark, settings, NAME, "device_locations")
