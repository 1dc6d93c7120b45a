"""Where the archive's new checkpoint begins after a repair, in a file until it says so itself."""

import json

from pyspark.sql import SparkSession

from contract.checkpoint_sidecars import CheckpointSidecar
from contract.queries import Query
from contract.settings import Settings
from pipeline.checkpoints.checkpoint import Checkpoint
from pipeline.spark.storage import Storage


def keep_repaired_start(spark: SparkSession, settings: Settings, offsets: str) -> None:
    """Keep the offsets of nest-logs up to which a repair has written everything, as Spark has them.

    Call it only when everything is written and the old checkpoint is deleted: with that one, part
    of it would be read twice.
    """
    _file(spark, settings).write_text(offsets)


def read_repaired_start(spark: SparkSession, settings: Settings) -> str | None:
    """Return the offsets that a repair has kept; None without a repair, or if they are torn."""
    offsets = _file(spark, settings).read_json_if_whole()
    return None if offsets is None else json.dumps(offsets)


def repaired_start_of_new_checkpoint(spark: SparkSession, settings: Settings) -> str | None:
    """Return the offsets that a repair has left for a new checkpoint; None without a repair.

    A checkpoint with a batch says itself where to go on: what was kept is deleted then.
    """
    offsets = read_repaired_start(spark, settings)
    if offsets is None:
        return None
    checkpoint = Checkpoint(spark, settings, Query.ARCHIVE)
    if checkpoint.has_begun() and checkpoint.newest_batches().planned >= 0:
        delete_repaired_start(spark, settings)
        return None
    return offsets


def delete_repaired_start(spark: SparkSession, settings: Settings) -> None:
    """Delete what a repair has kept, once the new checkpoint itself says where to go on.

    Later it would be wrong: with it a query without a checkpoint archives again what came since.
    """
    _file(spark, settings).delete()


def _file(spark: SparkSession, settings: Settings) -> Storage:
    checkpoint = Checkpoint(spark, settings, Query.ARCHIVE)
    return checkpoint.beside(CheckpointSidecar.REPAIRED_START)
