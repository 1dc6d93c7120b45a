"""camera_status: the table ``camera`` as a stream to the newest row of each camera."""

from functools import partial

from delta.tables import DeltaTable
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from contract import lake
from contract.errors import UserError
from contract.queries import Query
from contract.settings import Settings
from pipeline.checkpoints.checkpoint import Checkpoint
from pipeline.checkpoints.older_copies import require_newer_than_table, require_no_older_copy
from pipeline.checkpoints.resumable_table_stream import (
    keep_table_ids,
    require_resumable_table_stream,
)
from pipeline.lake.tables import (
    create_status_table,
    create_tables,
    ensure_layouts,
    merging_once,
    table_ids,
    table_uri,
)
from pipeline.table_stream import stream_rows
from pipeline.transforms import newest_per_camera, recency
from pipeline.trigger import trigger

NAME = Query.CAMERA_STATUS

_TABLES = (lake.CAMERA, lake.CAMERA_STATUS)


def start(spark: SparkSession, settings: Settings, *, once: bool) -> StreamingQuery:
    """Start the query, live or with ``once`` to the end of its input."""
    checkpoint = Checkpoint(spark, settings, NAME)
    _require_own_checkpoint(checkpoint)
    require_no_older_copy(Checkpoint(spark, settings, Query.ALERTS), lake.CAMERA_STATUS)
    create_tables(spark, settings)
    create_status_table(spark, settings)
    ensure_layouts(spark, settings, (lake.CAMERA_STATUS,))
    keep_table_ids(checkpoint, _TABLES)
    query: StreamingQuery = (
        stream_rows(spark, settings, lake.CAMERA)
        .writeStream.queryName(NAME)
        .foreachBatch(partial(merge_newest, settings=settings))
        .option("checkpointLocation", checkpoint.uri)
        .trigger(**trigger(once=once, processingTime=settings.status_trigger))
        .start()
    )
    return query


def merge_newest(cameras: DataFrame, batch_id: int, *, settings: Settings) -> None:
    """Merge a micro-batch into ``camera_status``, exactly once.

    A row only ever replaces an older one, so a late message changes nothing.
    """
    spark = cameras.sparkSession
    status = DeltaTable.forPath(spark, table_uri(spark, settings, lake.CAMERA_STATUS))
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


def _require_own_checkpoint(checkpoint: Checkpoint) -> None:
    """Raise UserError where the table would keep rows that are not the newest of ``camera``."""
    spark, settings = checkpoint.spark, checkpoint.settings
    batches = require_resumable_table_stream(checkpoint, _TABLES)
    exists = bool(table_ids(spark, settings, (lake.CAMERA_STATUS,)))
    if batches is not None:
        if exists:
            require_newer_than_table(checkpoint, lake.CAMERA_STATUS, batches)
        return
    status = table_uri(spark, settings, lake.CAMERA_STATUS)
    if exists and not spark.read.format("delta").load(status).isEmpty():
        raise UserError(
            f"The table {status} has rows, but the checkpoint {checkpoint.uri} of the query that "
            "wrote them is gone, so nobody knows which messages they are from. "
            f"`nest repair {NAME}` builds the table anew from the table {lake.CAMERA}."
        )
