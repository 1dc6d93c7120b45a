"""stats: people seen per zip code and hour, counted as the messages come, to nest-camera-stats."""

from dataclasses import replace
from datetime import timedelta

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from contract.queries import Query
from contract.settings import Settings
from contract.topics import CAMERA_STATS
from pipeline.checkpoints.checkpoint import Checkpoint
from pipeline.checkpoints.counting_rules import require_same_counting_rules
from pipeline.checkpoints.lower_counts import require_no_lower_counts
from pipeline.checkpoints.origin import keep_origin
from pipeline.checkpoints.output_topic import require_own_output_topic
from pipeline.counting import (
    hourly_counts,
    on_time,
    person_events,
    sightings,
    stats_records,
    with_zip_codes,
)
from pipeline.locations import read_locations
from pipeline.parsing.parser import CameraParser, parse_records
from pipeline.schema import sighting_schema
from pipeline.sink import sink_options
from pipeline.source import MinimumBatch, stream_records
from pipeline.spark.state_store import set_state_store
from pipeline.spark.task_slots import in_few_tasks
from pipeline.trigger import trigger

NAME = Query.STATS

_RECORDS_PER_TASK = 20_000
_RECORDS_WORTH_A_BATCH = 50


def start(spark: SparkSession, settings: Settings, *, once: bool) -> StreamingQuery:
    """Start the query, live or with ``once`` to the end of its input."""
    locations = read_locations(spark, settings.device_locations)
    checkpoint = Checkpoint(spark, settings, NAME)
    origin = require_same_counting_rules(checkpoint, locations)
    output_topic_id = require_own_output_topic(checkpoint, CAMERA_STATS)
    require_no_lower_counts(spark, settings)
    keep_origin(checkpoint, replace(origin, output_topic_id=output_topic_id))
    set_state_store(spark, settings)
    minimum_batch = None if once else _minimum_batch(settings)
    records = stream_records(spark, settings, _RECORDS_PER_TASK, minimum_batch)
    if not once:
        records = records.transform(in_few_tasks, settings)
    query: StreamingQuery = (
        records.transform(camera_stats, locations, settings)
        .writeStream.queryName(NAME)
        .outputMode("update")
        .format("kafka")
        .options(**sink_options(settings))
        .option("topic", CAMERA_STATS.name)
        .option("checkpointLocation", checkpoint.uri)
        .trigger(**trigger(once=once, processingTime=settings.stats_trigger))
        .start()
    )
    return query


def longest_wait(settings: Settings) -> timedelta:
    """Return how long few messages may wait for more, or the batch for its trigger."""
    return settings.stats_interval


def _minimum_batch(settings: Settings) -> MinimumBatch:
    return MinimumBatch(_RECORDS_WORTH_A_BATCH, settings.stats_max_delay, settings.stats_trigger)


def camera_stats(records: DataFrame, locations: DataFrame, settings: Settings) -> DataFrame:
    """Turn nest-logs records into nest-camera-stats records; the same for a stream and a batch."""
    return (
        records.transform(parse_records, CameraParser(sighting_schema()))
        .transform(sighting_counts, locations, settings)
        .transform(stats_records)
    )


def sighting_counts(cameras: DataFrame, locations: DataFrame, settings: Settings) -> DataFrame:
    """Count the sightings of camera rows, parsed from messages or read from the archive.

    Gives zip_code, window {start, end}, count.
    """
    return (
        cameras.transform(person_events)
        .transform(on_time, settings.lateness, settings.clock_skew)
        .transform(sightings, settings.watermark)
        .transform(with_zip_codes, locations)
        .transform(hourly_counts)
    )
