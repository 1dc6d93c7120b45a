"""Which versions the stream on a table needs: VACUUM and the clean-up of the log leave them."""

from datetime import UTC, datetime, timedelta

from pyspark.sql import SparkSession

from contract import lake
from contract.errors import UserError
from contract.instants import from_epoch_ms
from contract.queries import Query
from contract.settings import Settings
from pipeline.checkpoints.checkpoint import Checkpoint
from pipeline.lake.table_offset import TableOffset
from pipeline.lake.tables import commit_name, log_uri
from pipeline.spark.storage import Storage

_FOLLOWER = {lake.CAMERA: Query.CAMERA_STATUS, lake.CAMERA_STATUS: Query.ALERTS}


def require_old_versions_read(
    spark: SparkSession, settings: Settings, table: str, retention: timedelta
) -> None:
    """Raise UserError if the stream on a table has not read a version older than the retention.

    After a stop of some hours or days that is so until the stream has caught up.
    """
    version = _next_version(spark, settings, table)
    if version is not None and _is_older(spark, settings, table, version, retention):
        raise UserError(
            f"the query {_FOLLOWER[table]} has not read version {version} yet, whose files VACUUM "
            "would delete. It is done after the pipeline has caught up."
        )


def is_old_commit_needed(
    spark: SparkSession, settings: Settings, table: str, retention: timedelta
) -> bool:
    """Tell whether the stream on a table asks for a commit older than the retention at its start.

    Spark asks a source anew for the batch that was committed last, though nothing of it is read.
    """
    version = _next_version(spark, settings, table, batches_back=1)
    return version is not None and _is_older(spark, settings, table, version, retention)


def _next_version(
    spark: SparkSession, settings: Settings, table: str, batches_back: int = 0
) -> int | None:
    """Return the version at which the stream on a table goes on after its newest committed batch.

    With ``batches_back`` after an earlier one. Before the first that is committed, the one that it
    has planned; None before it has planned any, and for a table without a stream.
    """
    if table not in _FOLLOWER:
        return None
    checkpoint = Checkpoint(spark, settings, _FOLLOWER[table])
    if not checkpoint.has_begun():
        return None
    batches = checkpoint.newest_batches()
    newest = batches.planned if batches.committed < 0 else batches.committed
    if newest < 0:
        return None
    batch = max(0, newest - batches_back)
    return TableOffset.of(table, checkpoint.source_offset(batch)).version


def _is_older(
    spark: SparkSession, settings: Settings, table: str, version: int, age: timedelta
) -> bool:
    """Tell whether a version was committed longer ago than that; not one that is yet to come."""
    commit = Storage(spark, f"{log_uri(spark, settings, table)}/{commit_name(version)}")
    return commit.exists() and from_epoch_ms(commit.modified()) < datetime.now(UTC) - age
