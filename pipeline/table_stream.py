"""A Delta table as a stream: of its rows, or of its changes."""

from pyspark.sql import DataFrame, SparkSession

from contract.settings import Settings
from pipeline.lake.tables import table_uri

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
