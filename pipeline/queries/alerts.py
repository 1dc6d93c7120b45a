"""alerts: cameras that go offline, come back or fall silent, to nest-camera-alerts."""

from datetime import timedelta
from functools import partial

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming.query import StreamingQuery

from contract import lake
from contract.queries import Query
from contract.settings import Settings
from contract.topics import CAMERA_ALERTS
from pipeline.alerting import (
    ago,
    alert_records,
    alerted_states,
    clocks,
    former_states,
    in_order_of_time,
    lacks_former_state,
    silence_alerts,
    state_alerts,
    with_former_timestamp,
)
from pipeline.checkpoints.checkpoint import Checkpoint
from pipeline.checkpoints.output_topic import require_own_output_topic
from pipeline.checkpoints.resumable_table_stream import (
    keep_table_and_topic_ids,
    require_resumable_table_stream,
)
from pipeline.counting import with_zip_codes
from pipeline.lake.tables import create_status_table, read_table
from pipeline.locations import read_locations
from pipeline.sink import sink_options
from pipeline.source import read_topic
from pipeline.spark.batch_interruption import shorten_interruption
from pipeline.table_stream import stream_changes
from pipeline.trigger import trigger

NAME = Query.ALERTS

_TABLES = (lake.CAMERA_STATUS,)


def require_resumable(spark: SparkSession, settings: Settings) -> str:
    """Return the id of the topic; UserError where the query cannot go on with it or its table."""
    checkpoint = Checkpoint(spark, settings, NAME)
    require_resumable_table_stream(checkpoint, _TABLES)
    return require_own_output_topic(checkpoint, CAMERA_ALERTS)


def start(spark: SparkSession, settings: Settings, *, once: bool) -> StreamingQuery:
    """Start the query, live or with ``once`` to the end of its input.

    Its first batch has the cameras that are there: it alerts about those that are offline or silent
    by then, unless people have been told of it.
    """
    output_topic_id = require_resumable(spark, settings)
    create_status_table(spark, settings)
    checkpoint = Checkpoint(spark, settings, NAME)
    keep_table_and_topic_ids(checkpoint, _TABLES, output_topic_id)
    locations = read_locations(spark, settings.device_locations)
    query: StreamingQuery = (
        stream_changes(spark, settings, lake.CAMERA_STATUS)
        .writeStream.queryName(NAME)
        .foreachBatch(partial(send_alerts, settings=settings, locations=locations))
        .option("checkpointLocation", checkpoint.uri)
        .trigger(**trigger(once=once, processingTime=settings.alerts_trigger))
        .start()
    )
    return query


def longest_wait(settings: Settings) -> timedelta:
    """Return how long the batch may wait for its trigger."""
    return settings.alerts_trigger


@shorten_interruption
def send_alerts(
    changes: DataFrame, batch_id: int, *, settings: Settings, locations: DataFrame
) -> None:
    """Send the alerts of a micro-batch of changes, at least once.

    A batch that is run again sends the same alerts with the same ids. Of a camera that is new to
    the table (after a repair), or whose state was not known, earlier alerts say what it was.
    """
    spark, changes = changes.sparkSession, changes.persist()
    try:
        version, without_former = changes.agg(
            F.max("_commit_version"), F.count_if(lacks_former_state())
        ).collect()[0]
        if version is None:
            return
        former = changes.transform(former_states)
        if without_former:
            alerts_sent = read_topic(spark, settings, CAMERA_ALERTS, fail_on_data_loss=False)
            former = former.unionByName(changes.transform(alerted_states, alerts_sent))
        status = read_table(spark, settings, lake.CAMERA_STATUS, version)
        cameras = status.transform(with_former_timestamp, changes).persist()
        try:
            _write_alerts(_alert_records(changes, former, cameras, settings, locations), settings)
        finally:
            cameras.unpersist()
    finally:
        changes.unpersist()


def _alert_records(
    changes: DataFrame,
    former: DataFrame,
    cameras: DataFrame,
    settings: Settings,
    locations: DataFrame,
) -> DataFrame:
    latest = F.current_timestamp() + F.lit(settings.clock_skew)
    clock = cameras.transform(clocks, latest).head() or (None, None)
    silent_before, silent_now = (ago(moment, settings.silent_after) for moment in clock)
    # Before a first batch there is no clock: its cameras are those that people were told of.
    told_silent_before = F.coalesce(silent_before, silent_now)
    return (
        changes.transform(state_alerts, former, told_silent_before)
        .unionByName(cameras.transform(silence_alerts, silent_before, silent_now))
        .transform(with_zip_codes, locations)
        .transform(in_order_of_time)
        .transform(alert_records)
    )


def _write_alerts(records: DataFrame, settings: Settings) -> None:
    (
        records.write.format("kafka")
        .options(**sink_options(settings))
        .option("topic", CAMERA_ALERTS.name)
        .save()
    )
