"""archive: every camera of every message to the table ``camera``, bad input to ``quarantine``."""

from dataclasses import replace
from datetime import timedelta
from functools import partial
from math import ceil

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from contract.forgotten import Forgotten
from contract.lake import ARCHIVE_TABLES, CAMERA, QUARANTINE
from contract.queries import Query
from contract.settings import Settings
from pipeline.archive_rows import camera_rows, quarantine_rows
from pipeline.checkpoints.checkpoint import Checkpoint
from pipeline.checkpoints.origin import keep_origin
from pipeline.checkpoints.repaired_start import (
    delete_repaired_start,
    repaired_start_of_new_checkpoint,
)
from pipeline.checkpoints.resumable_archive import require_resumable
from pipeline.checkpoints.starting_offsets import with_added_partitions
from pipeline.lake.exactly_once import append_once
from pipeline.lake.forgotten import read_forgotten
from pipeline.lake.tables import create_tables, ensure_layouts, table_exists, table_ids, table_uri
from pipeline.parsing.rejection_counter import RejectionCounter
from pipeline.source import MinimumBatch, stream_records
from pipeline.spark.batch_interruption import shorten_interruption
from pipeline.trigger import trigger

NAME = Query.ARCHIVE

_RECORDS_PER_TASK = 5_000
_RECORDS_WORTH_A_BATCH = 200
_TASKS_PER_FILE = 4
"""A live batch becomes one file for every four partitions that have records, a large batch one file
for every 20,000 records."""


def start(spark: SparkSession, settings: Settings, *, once: bool) -> StreamingQuery:
    """Start the query, live or with ``once`` to the end of its input."""
    origin = require_resumable(spark, settings)
    create_tables(spark, settings)
    ensure_layouts(spark, settings, origin.tables)
    checkpoint = Checkpoint(spark, settings, NAME)
    keep_origin(checkpoint, replace(origin, tables=table_ids(spark, settings, ARCHIVE_TABLES)))
    counter = RejectionCounter(spark, settings.clock_skew)
    forgotten = read_forgotten(spark, settings)
    repaired_start = repaired_start_of_new_checkpoint(spark, settings)
    if repaired_start is not None:
        repaired_start = with_added_partitions(settings, repaired_start)
    minimum_batch = None if once else _minimum_batch(settings)
    query: StreamingQuery = (
        stream_records(
            spark, settings, _RECORDS_PER_TASK, minimum_batch, starting_offsets=repaired_start
        )
        .writeStream.queryName(NAME)
        .foreachBatch(partial(write_batch, settings=settings, counter=counter, forgotten=forgotten))
        .option("checkpointLocation", checkpoint.uri)
        .trigger(**trigger(once=once, processingTime=settings.archive_trigger))
        .start()
    )
    return query


def longest_wait(settings: Settings) -> timedelta:
    """Return how long few messages may wait for more, or the batch for its trigger."""
    return settings.archive_interval


@shorten_interruption
def write_batch(
    records: DataFrame,
    batch_id: int,
    *,
    settings: Settings,
    counter: RejectionCounter,
    forgotten: Forgotten | None,
) -> None:
    """Write a micro-batch to both tables, each exactly once.

    Clean records, nearly all there are, are parsed once: the rejections are counted while the
    cameras are written, and parsed again only if there are any. From the first batch on, the
    checkpoint itself says where the query goes on, and what a repair has kept must not outlive it.
    """
    spark = records.sparkSession
    if batch_id == 0:
        delete_repaired_start(spark, settings)
    _require_tables(spark, settings)
    query_id = Checkpoint(spark, settings, NAME).query_id()
    append = partial(append_once, settings=settings, query_id=query_id, batch_id=batch_id)
    records = records.coalesce(_number_of_files(records))

    counter.reset()
    append(records.transform(camera_rows, forgotten, counter), CAMERA)
    # Where an earlier attempt has written the cameras, Delta skips them, and nothing is counted.
    if not counter.saw_only_clean_records:
        append(records.transform(quarantine_rows, forgotten, settings.clock_skew), QUARANTINE)


def _require_tables(spark: SparkSession, settings: Settings) -> None:
    """Raise FileNotFoundError if a table is gone: an append would begin another one in its place.

    The restart then says what mends it.
    """
    for name in ARCHIVE_TABLES:
        if not table_exists(spark, settings, name):
            raise FileNotFoundError(f"The table {table_uri(spark, settings, name)} is gone.")


def _minimum_batch(settings: Settings) -> MinimumBatch:
    return MinimumBatch(
        _RECORDS_WORTH_A_BATCH, settings.archive_max_delay, settings.archive_trigger
    )


def _number_of_files(records: DataFrame) -> int:
    """Return how many files a batch becomes; merging tasks keeps them few without a shuffle."""
    return max(1, ceil(records.rdd.getNumPartitions() / _TASKS_PER_FILE))
