"""The Delta tables that the pipeline writes: where they are, what they hold, and their columns."""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from delta.tables import DeltaTable
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from contract import lake
from contract.settings import Settings
from pipeline.lake.snapshots import log_at, snapshot_at
from pipeline.lake.sql_name import sql_name
from pipeline.lake.table_columns import add_missing_columns
from pipeline.lake.table_layout import CLUSTERING, ensure_layout, layout_properties
from pipeline.schema import QUARANTINE_SCHEMA, camera_table_schema
from pipeline.spark.java_classes import scala_none
from pipeline.spark.storage import Storage

_STATISTICS = ["partition", "offset", "timestamp", "device_id"]
"""Columns with minimum and maximum per file: more of them cost a third of the writing."""

_VERSION = re.compile(r"\d{20}\.(json|checkpoint\.)")

_STATUS_PROPERTIES = {
    "delta.enableChangeDataFeed": "true",
    # delta-rs gives no Arrow dataset of a table with deletion vectors, and check and dashboard read
    # such datasets.
    "delta.enableDeletionVectors": "false",
}


def table_uri(spark: SparkSession, settings: Settings, name: str) -> str:
    """Return where a table is, in full."""
    return Storage(spark, lake.table_location(settings.lake, name)).uri


def read_table(
    spark: SparkSession, settings: Settings, name: str, version: int | None = None
) -> DataFrame:
    """Return the rows of a table at a version, by default the newest."""
    reader = spark.read.format("delta")
    if version is not None:
        reader = reader.option("versionAsOf", version)
    return reader.load(table_uri(spark, settings, name))


def delta_table(spark: SparkSession, settings: Settings, name: str) -> DeltaTable:
    """Return a table as what can be merged into, deleted from and asked for its history."""
    return DeltaTable.forPath(spark, table_uri(spark, settings, name))


def create_tables(spark: SparkSession, settings: Settings) -> None:
    """Create the archive's tables that do not exist yet, empty; others get the columns they lack.

    Raises UserError if a column of a table that exists has another type.
    """
    _create_table(spark, settings, lake.CAMERA, camera_table_schema())
    _create_table(spark, settings, lake.QUARANTINE, QUARANTINE_SCHEMA)


def create_status_table(spark: SparkSession, settings: Settings) -> None:
    """Create ``camera_status``, with the columns of ``camera``, as ``create_tables`` does.

    Those may be more than the messages have now: a field that was removed stays as a column.
    """
    is_there = table_exists(spark, settings, lake.CAMERA)
    schema = read_table(spark, settings, lake.CAMERA).schema if is_there else camera_table_schema()
    _create_table(spark, settings, lake.CAMERA_STATUS, schema, _STATUS_PROPERTIES)


def _create_table(
    spark: SparkSession,
    settings: Settings,
    name: str,
    schema: StructType,
    properties: Mapping[str, str] = MappingProxyType({}),
) -> None:
    if table_exists(spark, settings, name):  # also one that somebody else created
        add_missing_columns(spark, table_uri(spark, settings, name), schema)
        return
    Storage(spark, log_uri(spark, settings, name)).delete()  # empty: Delta would take it for one
    statistics = [column for column in _STATISTICS if column in schema.names]
    uri = table_uri(spark, settings, name)
    new = (
        DeltaTable.createIfNotExists(spark)
        .tableName(sql_name(uri))  # by itself Delta puts the location into a name as it is
        .location(uri)
        .addColumns(schema)
        .property("delta.dataSkippingStatsColumns", ",".join(statistics))
    )
    if name in CLUSTERING:
        new = new.clusterBy(*CLUSTERING[name])
    for key, value in {**layout_properties(settings, name), **properties}.items():
        new = new.property(key, value)
    new.execute()


def ensure_layouts(spark: SparkSession, settings: Settings, tables: Iterable[str]) -> None:
    """Give tables that exist the layout of now: an older version created them with another."""
    for name in tables:
        uri = table_uri(spark, settings, name)
        properties = layout_properties(settings, name)
        ensure_layout(spark, uri, properties)


def table_ids(spark: SparkSession, settings: Settings, names: Iterable[str]) -> dict[str, str]:
    """Return the id of each table that exists, by name; a table created again has another id."""
    return {
        name: str(newest_snapshot(spark, settings, name).metadata().id())
        for name in names
        if table_exists(spark, settings, name)
    }


def existing_tables(spark: SparkSession, settings: Settings) -> list[str]:
    """Return the names of the lake's tables that exist."""
    return [name for name in lake.TABLES if table_exists(spark, settings, name)]


def table_exists(spark: SparkSession, settings: Settings, name: str) -> bool:
    """Return whether the lake has the table: whether its log has a version.

    A kill while Delta creates a table leaves the folder of its log, empty.
    """
    log = log_uri(spark, settings, name)
    # Nearly every log has one of these. To list the log of a week takes longer.
    usual = ("_last_checkpoint", commit_name(0))
    return any(Storage(spark, f"{log}/{file}").exists() for file in usual) or any(
        map(_VERSION.match, Storage(spark, log).names())
    )


def log_uri(spark: SparkSession, settings: Settings, name: str) -> str:
    """Return where the transaction log of a table is, in full."""
    return f"{table_uri(spark, settings, name)}/_delta_log"


def commit_name(version: int) -> str:
    """Return the name of the file in a table's log that holds the commit of a version."""
    return f"{version:020}.json"


def newest_snapshot(spark: SparkSession, settings: Settings, table: str) -> Any:
    """Return Delta's view, in the JVM, of a table at its newest version."""
    return snapshot_at(spark, table_uri(spark, settings, table))


def delta_log(spark: SparkSession, settings: Settings, table: str) -> Any:
    """Return the JVM's object for a table's transaction log."""
    return log_at(spark, table_uri(spark, settings, table))


def files_and_bytes_at(
    spark: SparkSession, settings: Settings, table: str, version: int
) -> tuple[int, int]:
    """Return how many data files a table had at a version, and their bytes."""
    none = scala_none(spark)
    log = delta_log(spark, settings, table)
    snapshot = log.getSnapshotAt(version, none, none, False)
    return int(snapshot.numOfFiles()), int(snapshot.sizeInBytes())
