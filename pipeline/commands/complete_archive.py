"""`nest repair archive`: complete the tables, and make a checkpoint that goes on after them."""

from collections.abc import Mapping
from contextlib import suppress
from functools import reduce
from operator import or_
from typing import NamedTuple

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from contract.errors import UserError
from contract.kafka.log_offsets import end_offsets
from contract.lake import ARCHIVE_TABLES, CAMERA, QUARANTINE
from contract.queries import Query
from contract.settings import Settings
from contract.topics import NEST_LOGS
from pipeline.archive_rows import camera_rows, quarantine_rows
from pipeline.checkpoints.checkpoint import Checkpoint
from pipeline.checkpoints.checkpoint_deletion import delete_progress_and_checkpoint
from pipeline.checkpoints.older_copies import reads_older_copy
from pipeline.checkpoints.origin import archive_origin, keep_origin, read_origin, topic_id
from pipeline.checkpoints.repaired_start import delete_repaired_start, keep_repaired_start
from pipeline.checkpoints.starting_offsets import offsets_json, offsets_of_first_start
from pipeline.commands.delete_camera_status import delete_alerts, delete_camera_status
from pipeline.commands.messages_gone import count_messages_gone
from pipeline.lake.damaged_tables import require_readable, set_aside
from pipeline.lake.forgotten import read_forgotten
from pipeline.lake.tables import create_tables, read_table, table_exists, table_uri
from pipeline.source import read_records


class Repaired(NamedTuple):
    """How many rows were missing in each table and have been written."""

    cameras: int
    rejections: int


def complete_archive(spark: SparkSession, settings: Settings) -> Repaired:
    """Write what the tables lack of nest-logs up to its end now, then make a new checkpoint there.

    They lack nothing from before the pipeline's first start, if NEST_STARTING_OFFSETS was set. It
    rests on nothing but the topic and the tables: a record's rows are in a table if its position
    is. The old checkpoint is deleted first: its next batches would write again what the repair has
    written. A repair that was killed leaves none, is refused, and is simply run again. Raises
    UserError if a table cannot be read, or the tables belong to another topic than the one that is
    there now.
    """
    require_readable(spark, settings, ARCHIVE_TABLES)
    end = end_offsets(settings.kafka)
    start = offsets_of_first_start(spark, settings)
    records = read_records(spark, settings, start, offsets_json(end))
    checkpoint = Checkpoint(spark, settings, Query.ARCHIVE)
    _require_own_topic(checkpoint, records, end)
    _let_status_read_again(spark, settings)
    create_tables(spark, settings)
    delete_repaired_start(spark, settings)
    checkpoint.delete()
    forgotten = read_forgotten(spark, settings)
    cameras = records.transform(camera_rows, forgotten)
    rejections = records.transform(quarantine_rows, forgotten, settings.clock_skew)
    repaired = Repaired(
        _append_missing(cameras, settings, CAMERA),
        _append_missing(rejections, settings, QUARANTINE),
    )
    keep_repaired_start(spark, settings, offsets_json(end))
    keep_origin(checkpoint, archive_origin(spark, settings))
    return repaired


def set_archive_aside(spark: SparkSession, settings: Settings) -> list[str]:
    """Set the archive's tables aside, and delete all that goes on after them; safe to repeat.

    Returns where they are now. The repair then writes new ones. The alerts go, too, unless the new
    tables will hold the messages that they are about. What an earlier repair has kept goes before
    the tables: after a kill in between, new ones would begin in the middle of the topic.
    """
    checkpoint = Checkpoint(spark, settings, Query.ARCHIVE)
    if not _is_from_whole_topic(checkpoint):
        delete_alerts(spark, settings)
    delete_repaired_start(spark, settings)
    delete_progress_and_checkpoint(checkpoint)
    delete_camera_status(spark, settings)
    return set_aside(spark, settings, ARCHIVE_TABLES)


def _is_from_whole_topic(checkpoint: Checkpoint) -> bool:
    """Return whether the topic that is there now is known to have all that the query has read."""
    with suppress(UserError):  # torn
        kept = read_origin(checkpoint)
        is_same = kept is not None and kept.topic_id == topic_id(checkpoint.settings)
        return is_same and not count_messages_gone(checkpoint.settings)
    return False


def _let_status_read_again(spark: SparkSession, settings: Settings) -> None:
    """Have ``camera_status`` built anew if its stream would pass over what the repair appends."""
    with suppress(UserError):  # its own checkpoint is torn, as its next start says
        if reads_older_copy(Checkpoint(spark, settings, Query.CAMERA_STATUS), CAMERA):
            delete_camera_status(spark, settings)


def _append_missing(rows: DataFrame, settings: Settings, table: str) -> int:
    """Append the rows of those records that have none in the table; return how many rows."""
    spark = rows.sparkSession
    before = read_table(spark, settings, table)
    there = before.select("partition", "offset")
    count = before.count()
    (
        rows.join(there, ["partition", "offset"], "left_anti")
        .write.format("delta")
        .mode("append")
        .save(table_uri(spark, settings, table))
    )
    return read_table(spark, settings, table).count() - count


def _require_own_topic(checkpoint: Checkpoint, records: DataFrame, end: Mapping[int, int]) -> None:
    """Raise UserError if rows of the tables are not from the topic that is there now.

    What is kept beside the checkpoint may be gone with it; the rows say it themselves.
    """
    spark, settings, kept = checkpoint.spark, checkpoint.settings, None
    with suppress(UserError):  # torn, which this repair is to mend
        kept = read_origin(checkpoint)
    is_another = kept is not None and kept.topic_id != topic_id(settings)
    tables = [
        read_table(spark, settings, name).select("partition", "offset", "timestamp")
        for name in ARCHIVE_TABLES
        if table_exists(spark, settings, name)
    ]
    if is_another or (tables and _has_others(reduce(DataFrame.union, tables), records, end)):
        raise UserError(
            f"The topic {NEST_LOGS.name} at {settings.bootstrap_servers} was deleted and created "
            "again, or has lost its newest messages, or is of another Kafka: the tables "
            f"in NEST_LAKE={settings.lake} hold positions of the old topic. `nest repair archive "
            "--new-tables` sets them aside, and archives the new topic."
        )


def _has_others(positions: DataFrame, records: DataFrame, end: Mapping[int, int]) -> bool:
    """Return whether a position is beyond the topic's end, or its record has another timestamp."""
    partition, offset = F.col("partition"), F.col("offset")
    unknown = ~partition.isin(list(end))
    beyond = ((partition == number) & (offset >= its_end) for number, its_end in end.items())
    # By the files' statistics Delta opens none: the topic, too, is read only where it has to be.
    if not positions.where(reduce(or_, beyond, unknown)).isEmpty():
        return True
    there = records.select("partition", "offset", F.col("timestamp").alias("sent"))
    both = positions.join(there, ["partition", "offset"])
    return not both.where("timestamp != sent").isEmpty()
