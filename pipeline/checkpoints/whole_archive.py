"""Whether the archive's tables have all that its checkpoint says was written to them."""

from pyspark.sql import SparkSession

from contract.errors import UserError
from contract.lake import ARCHIVE_TABLES, CAMERA
from contract.queries import Query
from contract.settings import Settings
from contract.topics import NEST_LOGS
from pipeline.checkpoints.checkpoint import Checkpoint
from pipeline.checkpoints.older_copies import require_whole_table, written_batch
from pipeline.checkpoints.origin import archive_origin, read_origin
from pipeline.checkpoints.repaired_start import read_repaired_start
from pipeline.checkpoints.same_origin import require_same_archive_origin
from pipeline.lake.damaged_tables import require_readable


def require_whole_archive(spark: SparkSession, settings: Settings) -> None:
    """Raise UserError where ``archive`` would refuse to go on, since its tables may lack rows.

    Another table, an older copy or an older version that was restored gives lower counts. It
    changes nothing, and what ``nest repair archive`` has completed passes.
    """
    require_readable(spark, settings, ARCHIVE_TABLES)
    checkpoint = Checkpoint(spark, settings, Query.ARCHIVE)
    if not checkpoint.has_begun():
        if read_repaired_start(spark, settings):
            return
        raise UserError(
            f"There is no checkpoint {checkpoint.uri}, so nobody knows whether the table {CAMERA} "
            f"in NEST_LAKE={settings.lake} is whole. Set NEST_LAKE and NEST_CHECKPOINTS as the "
            f"pipeline has them, or run `nest repair {Query.ARCHIVE}`."
        )
    batches = checkpoint.newest_batches()
    if kept := read_origin(checkpoint):
        require_same_archive_origin(kept, archive_origin(spark, settings), settings)
    written = written_batch(checkpoint, CAMERA)
    require_whole_table(checkpoint, CAMERA, batches, written, made_from=NEST_LOGS.name)
