"""How a micro-batch changes a Delta table exactly once, however often it is run."""

from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.sql import DataFrame, SparkSession

from contract.settings import Settings
from pipeline.lake.tables import table_uri


def writer_id(table: str, query_id: str) -> str:
    """Return the name under which Delta keeps the last batch of a query that writes to a table."""
    return f"{table}-{query_id}"


def append_once(
    rows: DataFrame, table: str, *, settings: Settings, query_id: str, batch_id: int
) -> None:
    """Append a micro-batch's rows to a table; the same batch again changes nothing.

    Delta keeps the last batch id of each (table, query) and skips a batch id that it already has.
    """
    (
        rows.write.format("delta")
        .mode("append")
        .option("txnAppId", writer_id(table, query_id))
        .option("txnVersion", batch_id)
        .save(table_uri(rows.sparkSession, settings, table))
    )


@contextmanager
def merging_once(spark: SparkSession, table: str, query_id: str, batch_id: int) -> Iterator[None]:
    """Let a MERGE into a table in this session be done once for each batch of a query.

    A MERGE has no options of its own for it, as an append has, so they are set in the session. It
    must be the one that Spark has cloned for the query, as in ``foreachBatch``: no other query
    sees what is set there.
    """
    conf = {
        "spark.databricks.delta.write.txnAppId": writer_id(table, query_id),
        "spark.databricks.delta.write.txnVersion": str(batch_id),
        # A MERGE reads its source several times: Delta makes a copy, so that it is worked out once.
        "spark.databricks.delta.merge.materializeSource": "all",
    }
    for key, value in conf.items():
        spark.conf.set(key, value)
    try:
        yield
    finally:
        for key in conf:
            spark.conf.unset(key)
