"""Maintain every table of the lake: OPTIMIZE, VACUUM, and the log's checkpoint and clean-up."""

import threading
from dataclasses import dataclass
from datetime import timedelta

from pyspark.sql import SparkSession

from contract.errors import UserError
from contract.settings import Settings
from pipeline.lake.sql_name import sql_name
from pipeline.lake.table_layout import CLUSTERING, file_retention
from pipeline.lake.tables import delta_log, existing_tables, log_uri, newest_snapshot, table_uri
from pipeline.maintenance.needed_versions import is_old_commit_needed, require_old_versions_read
from pipeline.spark.failures import root_cause
from pipeline.spark.java_classes import java_class, scala_none
from pipeline.spark.storage import Storage

FILE_BYTES = 32 << 20
"""Target size of a compacted file: a task of OPTIMIZE sorts one in some seconds."""
CUBE_BYTES = 128 << 20
"""Rows that were clustered together are left alone once they are as large as this.

Delta's default is 100 GB: until then each OPTIMIZE would rewrite the whole table.
"""

_OPTIMIZE = "spark.databricks.delta.optimize"
_CONF = {
    f"{_OPTIMIZE}.maxFileSize": str(FILE_BYTES),
    f"{_OPTIMIZE}.minFileSize": str(FILE_BYTES),
    f"{_OPTIMIZE}.clustering.mergeStrategy.minCubeSize.threshold": str(CUBE_BYTES),
    f"{_OPTIMIZE}.clustering.mergeStrategy.minCubeSize.targetCubeSize": str(CUBE_BYTES),
    # One cube after the other: each is sorted in memory.
    f"{_OPTIMIZE}.maxThreads": "1",
    # By default VACUUM lists even a small folder in 10,000 tasks.
    "spark.sql.sources.parallelPartitionDiscovery.parallelism": "2",
    # Row groups of 16 MB: a reader holds one in memory, and skips those that a filter excludes.
    "parquet.block.size": str(16 << 20),
    # Delta takes VACUUM's own retention only with these; whoever passes one has been asked.
    "spark.databricks.delta.vacuum.retentionWindowIgnore.enabled": "false",
    "spark.databricks.delta.retentionDurationCheck.enabled": "false",
}


@dataclass(frozen=True)
class TableStorage:
    """What a table takes: its newest version, and all that is on disk."""

    files: int
    """Data files of the newest version."""
    bytes: int
    stored_files: int
    """Data files on disk: also those of older versions."""
    stored_bytes: int
    log_files: int
    log_bytes: int


@dataclass(frozen=True)
class Maintained:
    """A table before and after its maintenance."""

    table: str
    before: TableStorage
    after: TableStorage
    failure: str | None = None
    """Why it was left unfinished; what was done is kept, and the next run goes on."""


def maintain_tables(
    spark: SparkSession,
    settings: Settings,
    retention_hours: int | None = None,
    *,
    stopping: threading.Event | None = None,
) -> list[Maintained]:
    """Maintain the tables that exist, in the order in which they are written.

    Readers and writers go on meanwhile: OPTIMIZE changes no rows, and VACUUM deletes only files
    that no version within the retention has, and none while the stream on the table has yet to read
    an older version. ``retention_hours`` replaces the tables' own retention for this VACUUM. Once
    ``stopping`` is set no other table is begun. Raises UserError without any table.
    """
    tables = existing_tables(spark, settings)
    if not tables:
        raise UserError(
            f"There is no table in NEST_LAKE={settings.lake} yet. `nest pipeline` creates them."
        )
    maintained = []
    for name in tables:
        if stopping and stopping.is_set():
            break
        maintained.append(_maintain(spark, settings, name, retention_hours))
    return maintained


def vacuum(
    spark: SparkSession, settings: Settings, table: str, retention_hours: int | None = None
) -> None:
    """Delete the files that no version within the retention needs.

    ``retention_hours`` replaces the table's own retention; nothing checks whether it is safe.
    """
    retain = "" if retention_hours is None else f" RETAIN {retention_hours} HOURS"
    _run(spark, f"VACUUM {sql_name(table_uri(spark, settings, table))}{retain}")


def table_storage(spark: SparkSession, settings: Settings, table: str) -> TableStorage:
    """Measure a table."""
    snapshot = newest_snapshot(spark, settings, table)
    all_files, all_bytes = Storage(spark, table_uri(spark, settings, table)).usage()
    log_files, log_bytes = Storage(spark, log_uri(spark, settings, table)).usage()
    return TableStorage(
        int(snapshot.numOfFiles()),
        int(snapshot.sizeInBytes()),
        all_files - log_files,
        all_bytes - log_bytes,
        log_files,
        log_bytes,
    )


def _maintain(
    spark: SparkSession, settings: Settings, table: str, retention_hours: int | None
) -> Maintained:
    before = after = TableStorage(0, 0, 0, 0, 0, 0)  # of a table that cannot be read
    failure = None
    try:
        before = after = table_storage(spark, settings, table)
        # camera_status is left as it is: its MERGE rewrites its few files in each batch, and
        # would fail if OPTIMIZE replaced them meanwhile.
        if table in CLUSTERING:
            _run(spark, f"OPTIMIZE {sql_name(table_uri(spark, settings, table))}")
        retention = _retention(settings, table, retention_hours)
        require_old_versions_read(spark, settings, table, retention)
        vacuum(spark, settings, table, retention_hours)
        if not is_old_commit_needed(spark, settings, table, settings.version_retention):
            _clean_log(spark, settings, table)
        after = table_storage(spark, settings, table)
    except Exception as error:  # the next run goes on; no query may stop because of it
        failure = root_cause(error)
    return Maintained(table, before, after, failure)


def _retention(settings: Settings, table: str, hours: int | None) -> timedelta:
    return file_retention(settings, table) if hours is None else timedelta(hours=hours)


def _clean_log(spark: SparkSession, settings: Settings, table: str) -> None:
    """Delete the log's entries that are older than the retention, to the hour."""
    none = scala_none(spark)
    delta_log(spark, settings, table).cleanUpExpiredLogs(
        newest_snapshot(spark, settings, table),
        none,
        none,
        java_class(spark, "org.apache.spark.sql.delta.TruncationGranularity").HOUR(),
    )


def _run(spark: SparkSession, statement: str) -> None:
    """Run OPTIMIZE or VACUUM in a session with the options that they take from there.

    The session is their own: a query that starts meanwhile keeps the options of the one it is
    started in.
    """
    session = spark.newSession()
    for key, value in _CONF.items():
        session.conf.set(key, value)
    session.sql(statement).collect()
