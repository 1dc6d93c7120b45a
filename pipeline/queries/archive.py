"""archive: every camera of every message to the table ``camera``, bad input to ``quarantine``."""

from dataclasses import replace
from functools import partial
from math import ceil

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from contract.errors import UserError
from contract.forgotten import Forgotten
from contract.lake import CAMERA, QUARANTINE
from contract.queries import Query
from contract.settings import Settings
from pipeline.checkpoints.checkpoint import (
    Batches,
    checkpoint_uri,
    has_checkpoint,
    newest_batches,
    query_id,
)
from pipeline.checkpoints.origin import (
    Origin,
    archive_origin,
    keep_origin,
    read_origin,
    require_newer_than_table,
    require_no_older_copy,
    require_same_archive,
    require_whole_table,
)
from pipeline.checkpoints.repaired_start import delete_start, repaired_start
from pipeline.lake.damaged_tables import require_readable
from pipeline.lake.forgotten import (
    read_forgotten,
    records_without_forgotten,
    rows_without_forgotten,
)
from pipeline.lake.tables import (
    append_once,
    create_tables,
    ensure_layouts,
    table_exists,
    table_ids,
    table_uri,
)
from pipeline.parsing.parser import CameraParser, RejectionParser, parse_records
from pipeline.parsing.rejection_counter import RejectionCounter
from pipeline.schema import camera_schema
from pipeline.source import MinimumBatch, stream_records
from pipeline.trigger import trigger

NAME = Query.ARCHIVE

_TABLES = (CAMERA, QUARANTINE)
_RECORDS_PER_TASK = 5_000
_RECORDS_WORTH_A_BATCH = 200
_TASKS_PER_FILE = 4
"""A live batch becomes one file, a large batch one file for every 20,000 records."""


def start(spark: SparkSession, settings: Settings, *, once: bool) -> StreamingQuery:
    """Start the query, live or with ``once`` to the end of its input."""
    now = require_own_archive(spark, settings)
    create_tables(spark, settings)
    ensure_layouts(spark, settings, now.tables)
    keep_origin(spark, settings, NAME, replace(now, tables=table_ids(spark, settings, _TABLES)))
    counter = RejectionCounter(spark, settings.clock_skew)
    forgotten = read_forgotten(spark, settings)
    starting = _starting_where_repaired(spark, settings)
    minimum_batch = None if once else _minimum_batch(settings)
    query: StreamingQuery = (
        stream_records(spark, starting, _RECORDS_PER_TASK, minimum_batch)
        .writeStream.queryName(NAME)
        .foreachBatch(partial(write_batch, settings=settings, counter=counter, forgotten=forgotten))
        .option("checkpointLocation", checkpoint_uri(settings, NAME))
        .trigger(**trigger(once=once, processingTime=settings.archive_trigger))  # type: ignore[call-overload]
        .start()
    )
    return query


def require_own_archive(spark: SparkSession, settings: Settings) -> Origin:
    """Return the topic and the tables as they are; UserError if the query cannot go on with them.

    That is where its messages would be archived twice, or never.
    """
    require_readable(spark, settings, _TABLES)
    now = archive_origin(spark, settings)
    _require_own_checkpoint(spark, settings, now)
    require_no_older_copy(spark, settings, Query.CAMERA_STATUS, CAMERA)
    return now


def write_batch(
    records: DataFrame,
    batch_id: int,
    *,
    settings: Settings,
    counter: RejectionCounter,
    forgotten: Forgotten | None = None,
) -> None:
    """Write a micro-batch to both tables, each exactly once.

    Clean records, nearly all there are, are parsed once: the rejections are counted while the
    cameras are written, and parsed again only if there are any. From the first batch on, the
    checkpoint itself says where the query goes on, and what a repair has kept must not outlive it.
    """
    spark = records.sparkSession
    if batch_id == 0:
        delete_start(spark, settings)
    _require_tables(spark, settings)
    append = partial(
        append_once, settings=settings, query_id=query_id(spark, settings, NAME), batch_id=batch_id
    )
    records = records.coalesce(_number_of_files(records))
    records = records_without_forgotten(records, forgotten)

    counter.reset()
    cameras = records.transform(parse_records, CameraParser(camera_schema(), counter))
    append(rows_without_forgotten(cameras, forgotten), CAMERA)
    # Where an earlier attempt has written the cameras, Delta skips them, and nothing is counted.
    if not counter.saw_only_clean_records:
        rejections = RejectionParser(camera_schema(), settings.clock_skew)
        rows = records.transform(parse_records, rejections)
        append(rows_without_forgotten(rows, forgotten), QUARANTINE)


def _require_tables(spark: SparkSession, settings: Settings) -> None:
    """Raise FileNotFoundError if a table is gone: an append would begin another one in its place.

    The restart then says what mends it.
    """
    for name in _TABLES:
        if not table_exists(spark, settings, name):
            raise FileNotFoundError(f"The table {table_uri(spark, settings, name)} is gone.")


def _minimum_batch(settings: Settings) -> MinimumBatch:
    return MinimumBatch(
        _RECORDS_WORTH_A_BATCH, settings.archive_max_delay, settings.archive_trigger
    )


def _number_of_files(records: DataFrame) -> int:
    """Return how many files a batch becomes; merging tasks keeps them few without a shuffle."""
    return max(1, ceil(records.rdd.getNumPartitions() / _TASKS_PER_FILE))


def _starting_where_repaired(spark: SparkSession, settings: Settings) -> Settings:
    """Return the settings with the offsets that a repair has left for a new checkpoint."""
    offsets = repaired_start(spark, settings)
    return settings.model_copy(update={"starting_offsets": offsets}) if offsets else settings


def _require_own_checkpoint(spark: SparkSession, settings: Settings, now: Origin) -> None:
    """Raise UserError where messages would be archived twice, or never."""
    has_begun = has_checkpoint(spark, settings, NAME)
    batches = newest_batches(spark, settings, NAME) if has_begun else Batches(-1, -1)
    if batches.planned >= 0:
        delete_start(spark, settings)
    elif not repaired_start(spark, settings):
        _require_empty_tables(spark, settings)
        if not has_begun:
            return
    kept = read_origin(spark, settings, NAME) or Origin(now.topic_id)
    if batches.committed >= 0 and CAMERA not in kept.tables:
        # Older versions of the pipeline kept no ids of tables: whichever table is there will do.
        kept = Origin(kept.topic_id, {CAMERA: now.tables.get(CAMERA, "none")})
    require_same_archive(kept, now, settings)
    if has_begun and CAMERA in now.tables:
        require_newer_than_table(spark, settings, NAME, CAMERA, batches)
        require_whole_table(spark, settings, NAME, CAMERA, batches)


def _require_empty_tables(spark: SparkSession, settings: Settings) -> None:
    """Raise UserError if a query without any batch would archive again what is in a table."""
    for name in _TABLES:
        table = table_uri(spark, settings, name)
        is_new = not table_exists(spark, settings, name)
        if is_new or spark.read.format("delta").load(table).isEmpty():
            continue
        raise UserError(
            f"The table {table} has rows, but the checkpoint {checkpoint_uri(settings, NAME)} of "
            "the query that wrote them is gone. Archiving again would double the rows. "
            f"`nest repair {NAME}` makes a new checkpoint from what is in Kafka and in the tables. "
            "Or start with another NEST_LAKE and NEST_CHECKPOINTS (`nest reset` clears the demo's)."
        )
