"""A Delta table as a stream, and whether a checkpoint belongs to it."""

from pyspark.sql import DataFrame, SparkSession

from contract.queries import Query
from contract.settings import Settings
from pipeline.checkpoints.checkpoint import Batches, has_checkpoint, newest_batches
from pipeline.checkpoints.origin import (
    Origin,
    keep_origin,
    read_origin,
    require_no_older_copy,
    require_same_tables,
)
from pipeline.lake.damaged_tables import require_readable
from pipeline.lake.tables import table_ids, table_uri

_LIMITS = {"maxFilesPerTrigger": "1000", "maxBytesPerTrigger": "256m"}
"""How much of a table a micro-batch reads, about: a first start over an archive of months goes
through it in steps, and a kill costs one of them."""


def stream_rows(spark: SparkSession, settings: Settings, table: str) -> DataFrame:
    """Return the rows of a table as a stream: first those that it has, then those appended.

    A commit that deletes or rewrites rows is passed over (``skipChangeCommits``), so the stream
    goes on when somebody deletes a camera's rows or compacts the table. What such a commit adds is
    passed over, too: only the archive, which appends, may add rows to the table.
    """
    return (
        spark.readStream.format("delta")
        .options(**_LIMITS)
        .option("skipChangeCommits", True)
        .load(table_uri(spark, settings, table))
    )


def stream_changes(spark: SparkSession, settings: Settings, table: str) -> DataFrame:
    """Return the change feed of a table as a stream: first its rows, as inserts, then changes.

    Beside the table's columns it has ``_change_type`` (insert, update_preimage, update_postimage or
    delete), ``_commit_version`` and ``_commit_timestamp``.
    """
    return (
        spark.readStream.format("delta")
        .options(**_LIMITS)
        .option("readChangeFeed", True)
        .load(table_uri(spark, settings, table))
    )


def require_own_tables(
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


def keep_tables(
    spark: SparkSession, settings: Settings, query: Query, tables: tuple[str, ...]
) -> None:
    """Keep the ids of the tables that a query begins or goes on with."""
    keep_origin(spark, settings, query, _origin(spark, settings, tables))


def _origin(spark: SparkSession, settings: Settings, tables: tuple[str, ...]) -> Origin:
    return Origin(topic_id="", tables=table_ids(spark, settings, tables))
