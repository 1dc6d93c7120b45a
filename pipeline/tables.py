"""The Delta tables that the pipeline writes, and the one way in which it appends to them."""

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
