"""`nest repair archive`: complete the tables, and make a checkpoint that goes on after them."""

import json
from typing import NamedTuple

from pyspark.sql import DataFrame, SparkSession

from contract.errors import UserError
from contract.kafka.connections import open_consumer, partitions_of
from contract.lake import CAMERA, QUARANTINE
from contract.queries import ARCHIVE
from contract.settings import Settings
from contract.topics import NEST_LOGS
from pipeline.checkpoints.checkpoint import has_checkpoint
from pipeline.checkpoints.origin import (
    archive_origin,
    delete_checkpoint,
    keep_origin,
    read_origin,
    topic_id,
)
from pipeline.checkpoints.query_reset import reset_query
from pipeline.checkpoints.repaired_start import delete_start, keep_start
from pipeline.commands.repair_status import repair_camera_status
from pipeline.lake.damaged_tables import require_readable, set_aside
from pipeline.lake.forgotten import (
    read_forgotten,
    records_without_forgotten,
    rows_without_forgotten,
)
from pipeline.lake.tables import create_tables, table_uri
from pipeline.parsing.parser import CameraParser, RejectionParser, parse_records
from pipeline.schema import camera_schema
from pipeline.source import read_records


class Repaired(NamedTuple):
    """How many rows were missing in each table and have been written."""

    cameras: int
    rejections: int


def repair_archive(spark: SparkSession, settings: Settings) -> Repaired:
    """Write what the tables lack of nest-logs up to its end now, then make a new checkpoint there.

    It rests on nothing but the topic and the tables: a record's rows are in a table if its position
    is. A repair that was killed is simply run again. Raises UserError if a table cannot be read, or
    the tables belong to another topic than the one that is there now.
    """
    require_readable(spark, settings, (CAMERA, QUARANTINE))
    _require_own_topic(spark, settings)
    create_tables(spark, settings)
    end = _end_offsets(settings)
    forgotten = read_forgotten(spark, settings)
    records = read_records(spark, settings, "earliest", end)
    records = records_without_forgotten(records, forgotten)
    cameras = records.transform(parse_records, CameraParser(camera_schema()))
    parser = RejectionParser(camera_schema(), settings.clock_skew)
    rejections = records.transform(parse_records, parser)
    repaired = Repaired(
        _append_missing(rows_without_forgotten(cameras, forgotten), settings, CAMERA),
        _append_missing(rows_without_forgotten(rejections, forgotten), settings, QUARANTINE),
    )
    keep_start(spark, settings, end)
    delete_checkpoint(spark, settings, ARCHIVE)
    keep_origin(spark, settings, ARCHIVE, archive_origin(spark, settings))
    return repaired


def replace_tables(spark: SparkSession, settings: Settings) -> list[str]:
    """Set the archive's tables aside, and delete all that goes on after them; safe to repeat.

    Returns where they are now. The repair then writes new ones. What an earlier repair has kept
    goes first: after a kill in between, new tables would begin in the middle of the topic.
    """
    delete_start(spark, settings)
    reset_query(spark, settings, ARCHIVE)
    repair_camera_status(spark, settings)
    return set_aside(spark, settings, (CAMERA, QUARANTINE))


def _append_missing(rows: DataFrame, settings: Settings, table: str) -> int:
    """Append the rows of those records that have none in the table; return how many rows."""
    spark = rows.sparkSession
    uri = table_uri(spark, settings, table)
    before = spark.read.format("delta").load(uri)
    there = before.select("partition", "offset").distinct()
    count = before.count()
    (
        rows.join(there, ["partition", "offset"], "left_anti")
        .select(*before.columns)
        .write.format("delta")
        .mode("append")
        .save(uri)
    )
    return spark.read.format("delta").load(uri).count() - count


def _end_offsets(settings: Settings) -> str:
    """Return the end of nest-logs as Spark reads offsets."""
    with open_consumer(settings.kafka) as consumer:
        ends = consumer.end_offsets(partitions_of(consumer, NEST_LOGS.name))
    return json.dumps({NEST_LOGS.name: {str(tp.partition): end for tp, end in ends.items()}})


def _require_own_topic(spark: SparkSession, settings: Settings) -> None:
    kept = read_origin(spark, settings, ARCHIVE)
    if kept and has_checkpoint(spark, settings, ARCHIVE) and kept.topic_id != topic_id(settings):
        raise UserError(
            f"The topic {NEST_LOGS.name} was deleted and created again: the tables in NEST_LAKE="
            f"{settings.lake} hold positions of the old topic. `nest repair archive --new-tables` "
            "sets them aside, and archives the new topic."
        )
