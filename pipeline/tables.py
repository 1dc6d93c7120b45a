"""The Delta tables that the pipeline writes, and the one way in which it appends to them."""

from delta.tables import DeltaTable
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from contract import lake
from contract.lake import CAMERA
from contract.settings import Settings
from pipeline.schema import POSITION, QUARANTINE, camera_schema
from pipeline.storage import Storage

_STATISTICS = ["partition", "offset", "timestamp", "device_id"]
"""Columns with minimum and maximum per file: more of them cost a third of the writing."""


def table_uri(spark: SparkSession, settings: Settings, name: str) -> str:
    """Return where a table is, in full."""
    return Storage(spark, lake.table_uri(settings.lake, name)).uri


def create_tables(spark: SparkSession, settings: Settings) -> None:
    """Create the tables that are not there yet, empty."""
    schemas = {CAMERA: StructType([*camera_schema(), *POSITION]), lake.QUARANTINE: QUARANTINE}
    for name, schema in schemas.items():
        statistics = [column for column in _STATISTICS if column in schema.names]
        (
            DeltaTable.createIfNotExists(spark)
            .location(table_uri(spark, settings, name))
            .addColumns(schema)
            .property("delta.dataSkippingStatsColumns", ",".join(statistics))
            .execute()
        )


def append_once(rows: DataFrame, uri: str, *, query_id: str, batch_id: int) -> None:
    """Append a micro-batch's rows to a table; the same batch again changes nothing.

    Delta keeps the last batch id of each (table, query) and skips one that it has seen.
    """
    (
        rows.write.format("delta")
        .mode("append")
        .option("txnAppId", f"{uri.rsplit('/', 1)[-1]}-{query_id}")
        .option("txnVersion", batch_id)
        .save(uri)
    )
