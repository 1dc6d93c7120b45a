"""archive: every camera of every message to the table ``camera``, bad input to ``quarantine``."""

from functools import partial
from math import ceil

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from contract.errors import UserError
from contract.lake import CAMERA, QUARANTINE
from contract.queries import ARCHIVE
from contract.settings import Settings
from pipeline.checkpoints import checkpoint_uri, has_checkpoint, query_id
from pipeline.parsing.parser import CameraParser, RejectionParser, parse_records
from pipeline.parsing.rejection_counter import RejectionCounter
from pipeline.schema import camera_schema
from pipeline.source import stream_records
from pipeline.storage import Storage
from pipeline.tables import append_once, create_tables, table_uri

NAME = ARCHIVE

_RECORDS_PER_TASK = 5_000
_TASKS_PER_FILE = 4
"""A live batch becomes one file, a large batch one file for every 20,000 records."""


def start(spark: SparkSession, settings: Settings, trigger: dict[str, object]) -> StreamingQuery:
    """Start the query; ``trigger`` is what ``DataStreamWriter.trigger`` takes."""
    _refuse_second_archive(spark, settings)
    create_tables(spark, settings)
    counter = RejectionCounter(spark, settings.clock_skew)
    query: StreamingQuery = (
        stream_records(spark, settings, _RECORDS_PER_TASK)
        .writeStream.queryName(NAME)
        .foreachBatch(partial(write_batch, settings=settings, counter=counter))
        .option("checkpointLocation", checkpoint_uri(settings, NAME))
        .trigger(**trigger)  # type: ignore[call-overload]
        .start()
    )
    return query


def write_batch(
    records: DataFrame, batch_id: int, *, settings: Settings, counter: RejectionCounter
) -> None:
    """Write a micro-batch to both tables, each exactly once.

    Clean records, nearly all there are, are parsed once: the rejections are counted while the
    cameras are written, and parsed again only if there are any.
    """
    spark = records.sparkSession
    append = partial(
        append_once, settings=settings, query_id=query_id(spark, settings, NAME), batch_id=batch_id
    )
    records = records.coalesce(_number_of_files(records))

    counter.reset()
    append(records.transform(parse_records, CameraParser(camera_schema(), counter)), CAMERA)
    # Where an earlier attempt has written the cameras, Delta skips them, and nothing is counted.
    if not counter.saw_only_clean_records:
        rejections = RejectionParser(camera_schema(), settings.clock_skew)
        append(records.transform(parse_records, rejections), QUARANTINE)


def _number_of_files(records: DataFrame) -> int:
    """Return how many files a batch becomes; merging tasks keeps them few without a shuffle."""
    return max(1, ceil(records.rdd.getNumPartitions() / _TASKS_PER_FILE))


def _refuse_second_archive(spark: SparkSession, settings: Settings) -> None:
    """Raise UserError if messages that are in the table would be archived again."""
    camera = table_uri(spark, settings, CAMERA)
    is_new = not Storage(spark, f"{camera}/_delta_log").exists()
    if is_new or has_checkpoint(spark, settings, NAME):
        return
    if not spark.read.format("delta").load(camera).isEmpty():
        raise UserError(
            f"The table {camera} has rows, but the checkpoint {checkpoint_uri(settings, NAME)} of "
            "the query that wrote them is gone. Archiving again would double the rows. Put the "
            "checkpoint back, or start with another NEST_LAKE and NEST_CHECKPOINTS (`nest reset` "
            "clears the demo's)."
        )
