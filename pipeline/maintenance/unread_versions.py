"""What a stream on a table has yet to read: VACUUM and the clean-up of the log must leave it."""

from datetime import UTC, datetime, timedelta

from pyspark.sql import SparkSession

from contract import lake
from contract.errors import UserError
from contract.instants import from_epoch_ms
from contract.queries import Query
from contract.settings import Settings
from pipeline.checkpoints.checkpoint import Checkpoint
from pipeline.lake.table_offset import TableOffset
from pipeline.lake.tables import log_uri
from pipeline.spark.storage import Storage

_FOLLOWER = {lake.CAMERA: Query.CAMERA_STATUS, lake.CAMERA_STATUS: Query.ALERTS}


def require_old_versions_read(
    spark: SparkSession, settings: Settings, table: str, retention: timedelta
) -> None:
    """Raise UserError if the stream on a table has not read a version older than the retention.

    After a stop of some hours or days that is so until the stream has caught up.
    """
    query = _FOLLOWER.get(table)
    if query is None:
        return
    version = _oldest_unread_version(Checkpoint(spark, settings, query), table)
    if version is None:
        return
    commit = Storage(spark, f"{log_uri(spark, settings, table)}/{version:020}.json")
    if commit.exists() and from_epoch_ms(commit.modified()) < datetime.now(UTC) - retention:
        raise UserError(
            f"the query {query} has not read version {version} yet, whose files VACUUM would "
            "delete. It is done after the pipeline has caught up."
        )


def _oldest_unread_version(checkpoint: Checkpoint, table: str) -> int | None:
    """Return the version of which the stream may have something to read; None before it begins."""
    if not checkpoint.has_begun():
        return None
    batches = checkpoint.newest_batches()
    batch = batches.planned if batches.committed < 0 else batches.committed
    return None if batch < 0 else TableOffset.of(table, checkpoint.source_offset(batch)).version
