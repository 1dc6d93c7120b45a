"""camera_status: the table ``camera`` as a stream to the newest row of each camera."""

from datetime import timedelta
from functools import partial

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from contract import lake
from contract.queries import Query
from contract.settings import Settings
from pipeline.checkpoints.checkpoint import Checkpoint
from pipeline.checkpoints.resumable_camera_status import FOLLOWED_AND_WRITTEN, require_resumable
from pipeline.checkpoints.resumable_table_stream import keep_table_and_topic_ids
from pipeline.lake.exactly_once import merging_once
from pipeline.lake.tables import create_status_table, create_tables, delta_table, ensure_layouts
from pipeline.newest_rows import newest_per_camera, recency
from pipeline.spark.batch_interruption import shorten_interruption
from pipeline.table_stream import stream_rows
from pipeline.trigger import trigger

NAME = Query.CAMERA_STATUS


def start(spark: SparkSession, settings: Settings, *, once: bool) -> StreamingQuery:
    """Start the query, live or with ``once`` to the end of its input."""
    require_resumable(spark, settings)
    create_tables(spark, settings)
    create_status_table(spark, settings)
    ensure_layouts(spark, settings, (lake.CAMERA_STATUS,))
    checkpoint = Checkpoint(spark, settings, NAME)
    keep_table_and_topic_ids(checkpoint, FOLLOWED_AND_WRITTEN)
    query: StreamingQuery = (
        stream_rows(spark, settings, lake.CAMERA)
        .writeStream.queryName(NAME)
        .foreachBatch(partial(merge_newest, settings=settings))
        .option("checkpointLocation", checkpoint.uri)
        .trigger(**trigger(once=once, processingTime=settings.status_trigger))
        .start()
    )
    return query


def longest_wait(settings: Settings) -> timedelta:
    """Return how long the batch may wait for its trigger."""
    return settings.status_trigger


@shorten_interruption
def merge_newest(cameras: DataFrame, batch_id: int, *, settings: Settings) -> None:
    """Merge a micro-batch into ``camera_status``, exactly once.

    A row only ever replaces an older one, so a late message changes nothing.
    """
    spark = cameras.sparkSession
    status = delta_table(spark, settings, lake.CAMERA_STATUS)
    is_newer = recency("new", cameras.columns) > recency("status", cameras.columns)
    query_id = Checkpoint(spark, settings, NAME).query_id()
    with merging_once(spark, lake.CAMERA_STATUS, query_id, batch_id):
        (
            status.alias("status")
            .merge(
                cameras.transform(newest_per_camera).alias("new"),
                "status.device_id = new.device_id",
            )
            .whenMatchedUpdateAll(is_newer)
            .whenNotMatchedInsertAll()
            .execute()
        )
