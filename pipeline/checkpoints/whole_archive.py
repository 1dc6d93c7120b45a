"""Whether the archive's tables have all that its checkpoint says was written to them."""

from pyspark.sql import SparkSession

from contract.errors import UserError
from contract.lake import ARCHIVE_TABLES, CAMERA
from contract.queries import Query
from contract.settings import Settings
from pipeline.checkpoints.checkpoint import checkpoint_uri, has_checkpoint, newest_batches
from pipeline.checkpoints.older_copies import require_whole_table
from pipeline.checkpoints.origin import archive_origin, read_origin
from pipeline.checkpoints.repaired_start import repaired_start
from pipeline.checkpoints.same_origin import require_same_archive_origin
from pipeline.lake.damaged_tables import require_readable


def require_whole_archive(spark: SparkSession, settings: Settings) -> None:
    """Raise UserError where ``archive`` would refuse to go on, since its tables may lack rows.

    Another table, an older copy or an older version that was restored gives lower counts. It
    changes nothing, and what ``nest repair archive`` has completed passes.
    """
    require_readable(spark, settings, ARCHIVE_TABLES)
    if not has_checkpoint(spark, settings, Query.ARCHIVE):
        if repaired_start(spark, settings):
            return
        raise UserError(
            f"There is no checkpoint {checkpoint_uri(settings, Query.ARCHIVE)}, so nobody knows "
            f"whether the table {CAMERA} in NEST_LAKE={settings.lake} is whole. Set NEST_LAKE and "
            f"NEST_CHECKPOINTS as the pipeline has them, or run `nest repair {Query.ARCHIVE}`."
        )
    batches = newest_batches(spark, settings, Query.ARCHIVE)
    if kept := read_origin(spark, settings, Query.ARCHIVE):
        require_same_archive_origin(kept, archive_origin(spark, settings), settings)
    require_whole_table(spark, settings, Query.ARCHIVE, CAMERA, batches)
