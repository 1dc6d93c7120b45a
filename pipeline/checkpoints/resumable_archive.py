"""Whether the archive may go on with the topic, the tables and the checkpoint that are there."""

from contextlib import suppress

from pyspark.sql import SparkSession

from contract.errors import UserError
from contract.lake import ARCHIVE_TABLES, CAMERA
from contract.queries import Query
from contract.settings import Settings
from contract.topics import NEST_LOGS
from pipeline.checkpoints.checkpoint import Batches, Checkpoint
from pipeline.checkpoints.older_copies import (
    require_newer_than_table,
    require_no_older_copy,
    require_whole_table,
    written_batch,
)
from pipeline.checkpoints.origin import Origin, archive_origin, read_origin, topic_id
from pipeline.checkpoints.repaired_start import read_repaired_start
from pipeline.checkpoints.same_origin import require_same_archive_origin, require_same_topic
from pipeline.lake.damaged_tables import require_readable
from pipeline.lake.tables import read_table, table_exists, table_uri


def require_own_topic(spark: SparkSession, settings: Settings) -> None:
    """Raise UserError if nest-logs is not the topic that the archive has read so far."""
    checkpoint, kept = Checkpoint(spark, settings, Query.ARCHIVE), None
    with suppress(UserError):  # torn, as the start of the query says
        kept = read_origin(checkpoint) if checkpoint.has_begun() else None
    if kept:
        require_same_topic(Query.ARCHIVE, kept, Origin(topic_id(settings)), settings)


def require_resumable(spark: SparkSession, settings: Settings) -> Origin:
    """Return the topic and the tables as they are; UserError if the query cannot go on with them.

    That is where its messages would be archived twice or never, or where the query camera_status
    would leave out what it appends.
    """
    require_readable(spark, settings, ARCHIVE_TABLES)
    present = archive_origin(spark, settings)
    _require_own_checkpoint(Checkpoint(spark, settings, Query.ARCHIVE), present)
    require_no_older_copy(Checkpoint(spark, settings, Query.CAMERA_STATUS), CAMERA)
    return present


def _require_own_checkpoint(checkpoint: Checkpoint, present: Origin) -> None:
    """Raise UserError where messages would be archived twice, or never."""
    has_begun = checkpoint.has_begun()
    batches = checkpoint.newest_batches() if has_begun else Batches(-1, -1)
    if batches.planned < 0 and not read_repaired_start(checkpoint.spark, checkpoint.settings):
        _require_empty_tables(checkpoint)
        if not has_begun:
            return
    kept = read_origin(checkpoint) or Origin(present.topic_id)
    if batches.committed >= 0 and CAMERA not in kept.tables:
        # Without what was kept beside the checkpoint, whichever table is there will do.
        kept = Origin(kept.topic_id, {CAMERA: present.tables.get(CAMERA, "none")})
    require_same_archive_origin(kept, present, checkpoint.settings)
    if has_begun and CAMERA in present.tables:
        written = {
            table: written_batch(checkpoint, table)
            for table in ARCHIVE_TABLES
            if table in present.tables
        }
        for table, batch in written.items():
            require_newer_than_table(checkpoint, table, batches, batch)
        require_whole_table(checkpoint, CAMERA, batches, written[CAMERA], made_from=NEST_LOGS.name)


def _require_empty_tables(checkpoint: Checkpoint) -> None:
    """Raise UserError if a query without any batch would archive again what is in a table."""
    spark, settings = checkpoint.spark, checkpoint.settings
    for name in ARCHIVE_TABLES:
        is_new = not table_exists(spark, settings, name)
        if is_new or read_table(spark, settings, name).isEmpty():
            continue
        raise UserError(
            f"The table {table_uri(spark, settings, name)} has rows, but the checkpoint "
            f"{checkpoint.uri} of the query that wrote them is gone. Archiving again would double "
            f"the rows. `nest repair {Query.ARCHIVE}` makes a new checkpoint from what is in Kafka "
            "and in the tables. Or start with another NEST_LAKE and NEST_CHECKPOINTS (`nest reset` "
            "clears the demo's)."
        )
