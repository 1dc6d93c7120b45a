"""The Delta tables that the pipeline writes, and the one way in which it appends to them."""

from typing import Any

from delta.tables import DeltaTable
from pyspark.sql import DataFrame, SparkSession

from contract import lake
from contract.settings import Settings
from pipeline.schema import QUARANTINE_SCHEMA, camera_table_schema
from pipeline.storage import Storage

_STATISTICS = ["partition", "offset", "timestamp", "device_id"]
"""Columns with minimum and maximum per file: more of them cost a third of the writing."""


def table_uri(spark: SparkSession, settings: Settings, name: str) -> str:
    """Return where a table is, in full."""
    return Storage(spark, lake.table_uri(settings.lake, name)).uri


def create_tables(spark: SparkSession, settings: Settings) -> None:
    """Create the tables that do not exist yet, empty."""
    schemas = {lake.CAMERA: camera_table_schema(), lake.QUARANTINE: QUARANTINE_SCHEMA}
    for name, schema in schemas.items():
        statistics = [column for column in _STATISTICS if column in schema.names]
        (
            DeltaTable.createIfNotExists(spark)
            .location(table_uri(spark, settings, name))
            .addColumns(schema)
            .property("delta.dataSkippingStatsColumns", ",".join(statistics))
            .execute()
        )


def append_once(
    rows: DataFrame, table: str, *, settings: Settings, query_id: str, batch_id: int
) -> None:
    """Append a micro-batch's rows to a table; the same batch again changes nothing.

    Delta keeps the last batch id of each (table, query) and skips a batch id that it already has.
    """
    (
        rows.write.format("delta")
        .mode("append")
        .option("txnAppId", f"{table}-{query_id}")
        .option("txnVersion", batch_id)
        .save(table_uri(rows.sparkSession, settings, table))
    )


def table_ids(spark: SparkSession, settings: Settings) -> dict[str, str]:
    """Return the id of each table that exists, by name; a table created again has another id."""
    return {
        name: str(_snapshot(spark, settings, name).metadata().id())
        for name in lake.TABLES
        if Storage(spark, f"{table_uri(spark, settings, name)}/_delta_log").exists()
    }


def last_batch(spark: SparkSession, settings: Settings, table: str, query_id: str) -> int:
    """Return the newest batch of a query that a table has; -1 if it has none."""
    transactions = _snapshot(spark, settings, table).transactions()
    found = transactions.get(f"{table}-{query_id}")
    return int(found.get()) if found.isDefined() else -1


def _snapshot(spark: SparkSession, settings: Settings, table: str) -> Any:
    """Return Delta's view of a table at its newest version, from the JVM: Python has none of it."""
    jvm: Any = spark.sparkContext._jvm
    delta_log = jvm.org.apache.spark.sql.delta.DeltaLog
    log = delta_log.forTable(spark._jsparkSession, table_uri(spark, settings, table))
    return log.update(False, jvm.scala.Option.empty(), jvm.scala.Option.empty())
