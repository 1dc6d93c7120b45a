"""Whether a query that follows a table may go on with the tables that are there."""

from pyspark.sql import SparkSession

from contract.queries import Query
from contract.settings import Settings
from pipeline.checkpoints.checkpoint import Batches, has_checkpoint, newest_batches
from pipeline.checkpoints.older_copies import require_no_older_copy
from pipeline.checkpoints.origin import Origin, keep_origin, read_origin
from pipeline.checkpoints.same_origin import require_same_tables
from pipeline.lake.damaged_tables import require_readable
from pipeline.lake.tables import table_ids


def require_resumable_table_stream(
    spark: SparkSession, settings: Settings, query: Query, tables: tuple[str, ...]
) -> Batches | None:
    """Return the newest batches of a query that goes on; None for a query that begins.

    The first of the tables is the one that the query reads. Raises UserError if a table is not the
    one that the query began with, if the first is an older copy of it, or if a file of the
    checkpoint is torn.
    """
    require_readable(spark, settings, tables)
    if not has_checkpoint(spark, settings, query):
        return None
    batches = newest_batches(spark, settings, query)
    if kept := read_origin(spark, settings, query):
        require_same_tables(query, kept, _origin(spark, settings, tables), settings)
    require_no_older_copy(spark, settings, query, tables[0])
    return batches


def keep_table_ids(
    spark: SparkSession, settings: Settings, query: Query, tables: tuple[str, ...]
) -> None:
    """Keep the ids of the tables that a query begins or goes on with."""
    keep_origin(spark, settings, query, _origin(spark, settings, tables))


def _origin(spark: SparkSession, settings: Settings, tables: tuple[str, ...]) -> Origin:
    return Origin(topic_id="", tables=table_ids(spark, settings, tables))
