"""sightings: each person event, placed, to nest-sightings a few milliseconds after its message.

The query runs in Spark's real-time mode. It keeps no state, so an event that is sent again is
written again: readers fold the topic by device_id and start_time.
"""

from dataclasses import replace
from datetime import timedelta

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming.query import StreamingQuery

from contract.queries import Query
from contract.settings import Settings
from contract.topics import SIGHTINGS
from pipeline.checkpoints.checkpoint import Checkpoint
from pipeline.checkpoints.counting_rules import require_same_counting_rules
from pipeline.checkpoints.origin import keep_origin
from pipeline.checkpoints.output_topic import require_own_output_topic
from pipeline.counting import on_time, with_zip_codes
from pipeline.locations import read_locations
from pipeline.parsing.sql_parser import parse_person_events
from pipeline.sink import sink_options
from pipeline.source import stream_records
from pipeline.timestamp_formats import MICROSECONDS
from pipeline.trigger import trigger

NAME = Query.SIGHTINGS

_RECORDS_PER_TASK = 20_000
COMMIT_INTERVAL = timedelta(minutes=5)
"""How long a batch of real-time mode lasts. Records leave at once, but offsets are committed only
at its end, and from one batch to the next there is a pause of half a second."""


def require_resumable(spark: SparkSession, settings: Settings) -> str:
    """Return the id of the topic; UserError where the query cannot go on with it."""
    return require_own_output_topic(Checkpoint(spark, settings, NAME), SIGHTINGS)


def start(spark: SparkSession, settings: Settings, *, once: bool) -> StreamingQuery:
    """Start the query, live or with ``once`` to the end of its input."""
    locations = read_locations(spark, settings.device_locations)
    checkpoint = Checkpoint(spark, settings, NAME)
    origin = require_same_counting_rules(checkpoint, locations)
    output_topic_id = require_resumable(spark, settings)
    keep_origin(checkpoint, replace(origin, output_topic_id=output_topic_id))
    query: StreamingQuery = (
        stream_records(spark, settings, _RECORDS_PER_TASK, is_real_time=not once)
        .transform(placed_sightings, locations, settings)
        .writeStream.queryName(NAME)
        .outputMode("update")
        .format("kafka")
        .options(**sink_options(settings))
        .option("topic", SIGHTINGS.name)
        .option("checkpointLocation", checkpoint.uri)
        .trigger(**trigger(once=once, realTime=COMMIT_INTERVAL))
        .start()
    )
    return query


def longest_wait(settings: Settings) -> timedelta:
    """Return how long a batch of real-time mode lasts."""
    return COMMIT_INTERVAL


def placed_sightings(records: DataFrame, locations: DataFrame, settings: Settings) -> DataFrame:
    """Turn nest-logs records into nest-sightings records; the same for a stream and a batch."""
    return (
        records.transform(parse_person_events)
        .transform(on_time, settings.lateness, settings.clock_skew)
        .transform(with_zip_codes, F.broadcast(locations))  # real-time mode has no shuffle
        .transform(sighting_records)
    )


def sighting_records(sightings: DataFrame) -> DataFrame:
    """Turn placed sightings into records of nest-sightings.

    The key is the device_id, the value JSON with device_id, zip_code and start_time (UTC).
    """
    value = F.to_json(
        F.struct("device_id", "zip_code", "start_time"), {"timestampFormat": MICROSECONDS}
    )
    return sightings.select(F.col("device_id").alias("key"), value.alias("value"))
