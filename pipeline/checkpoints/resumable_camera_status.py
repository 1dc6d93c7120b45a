"""Whether camera_status may go on with the tables and the checkpoint that are there."""

from pyspark.sql import SparkSession

from contract.errors import UserError
from contract.lake import CAMERA, CAMERA_STATUS
from contract.queries import Query
from contract.settings import Settings
from pipeline.checkpoints.checkpoint import Checkpoint
from pipeline.checkpoints.older_copies import (
    require_newer_than_table,
    require_no_older_copy,
    require_whole_table,
    written_batch,
)
from pipeline.checkpoints.resumable_table_stream import require_resumable_table_stream
from pipeline.lake.tables import read_table, table_ids, table_uri

FOLLOWED_AND_WRITTEN = (CAMERA, CAMERA_STATUS)


def require_resumable(spark: SparkSession, settings: Settings) -> None:
    """Raise UserError where the table would keep rows that are not the newest of ``camera``.

    Or where the query alerts would leave out changes that this one makes.
    """
    _require_own_checkpoint(Checkpoint(spark, settings, Query.CAMERA_STATUS))
    require_no_older_copy(Checkpoint(spark, settings, Query.ALERTS), CAMERA_STATUS)


def _require_own_checkpoint(checkpoint: Checkpoint) -> None:
    spark, settings = checkpoint.spark, checkpoint.settings
    batches = require_resumable_table_stream(checkpoint, FOLLOWED_AND_WRITTEN)
    exists = bool(table_ids(spark, settings, (CAMERA_STATUS,)))
    if batches is not None:
        if exists:
            written = written_batch(checkpoint, CAMERA_STATUS)
            require_newer_than_table(checkpoint, CAMERA_STATUS, batches, written)
            made_from = f"the table {CAMERA}"
            require_whole_table(checkpoint, CAMERA_STATUS, batches, written, made_from=made_from)
        return
    if exists and not read_table(spark, settings, CAMERA_STATUS).isEmpty():
        raise UserError(
            f"The table {table_uri(spark, settings, CAMERA_STATUS)} has rows, but the checkpoint "
            f"{checkpoint.uri} of the query that wrote them is gone, so nobody knows which "
            "messages they are from. "
            f"`nest repair {Query.CAMERA_STATUS}` builds the table anew from the table {CAMERA}."
        )
