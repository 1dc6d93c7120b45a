"""`nest forget`: remove everything of a home or camera from the lake, its history included."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from contract.errors import UserError
from contract.forgotten import Forgotten
from contract.lake import ARCHIVE_TABLES, CAMERA, CAMERA_STATUS
from contract.settings import Settings
from pipeline.checkpoints.checkpoint import Checkpoint
from pipeline.commands.delete_camera_status import delete_alert_checkpoint
from pipeline.lake.damaged_tables import tables_set_aside
from pipeline.lake.forgotten import (
    belongs_to_forgotten,
    is_of_forgotten_home,
    keep_forgotten,
    read_forgotten,
    rows_without_forgotten,
)
from pipeline.lake.purge_log import purge_log
from pipeline.lake.tables import delta_table, existing_tables, read_table, table_exists
from pipeline.maintenance.maintain import vacuum
from pipeline.newest_rows import newest_per_camera
from pipeline.queries import alerts, camera_status
from pipeline.source import read_records

_QUOTE_END = r"\E"
"""What ends literal text in a pattern of Java; no id has it."""
_IS_OF_RECORD = (
    "row.partition = record.partition AND row.offset = record.offset "
    "AND (row.timestamp = record.timestamp OR row.timestamp IS NULL)"
)
"""Whether a table's row is of a record of nest-logs. Other records have the same positions in a
topic that was created again. A timestamp that is out of range is null in a table."""


@dataclass(frozen=True)
class HomeRecords:
    """The messages of a home that Kafka still holds, by partition of nest-logs."""

    count: int = 0
    next_offsets: Mapping[int, int] = field(default_factory=dict)
    """The offset after the home's last message."""


@dataclass(frozen=True)
class Removed:
    """What was removed from the lake, and what is left in Kafka and in old tables."""

    rows: Mapping[str, int]
    """By table."""
    devices: int
    """Cameras of the home."""
    in_kafka: HomeRecords
    set_aside: Sequence[str]
    """Tables that a repair has set aside: they are damaged, and may still have the home."""


def forget(
    spark: SparkSession,
    settings: Settings,
    *,
    structure_id: str | None = None,
    device_id: str | None = None,
) -> Removed:
    """Delete the rows of a home, or of one camera, and every file of a table that ever held one.

    Of a home are the rows with its structure_id, those of its messages by their key, and all of a
    camera that the archive has ever had with its structure_id. First the ids' digests are kept, so
    that nothing writes the home again and a run that was killed can be repeated. Older versions of
    the tables cannot be read afterwards. No pipeline may run.
    Raises UserError if neither a table nor the key of a message has the id, or a query that reads a
    table cannot start.
    """
    _read_all_changes(spark, settings)
    given = structure_id or device_id or ""
    before = read_forgotten(spark, settings)
    tables = {name: read_table(spark, settings, name) for name in existing_tables(spark, settings)}
    devices = _devices_of(tables, structure_id) if structure_id else {given}
    forgotten = (before or Forgotten()).with_ids({given, *devices})
    records = _records_of(spark, settings, forgotten)
    of_given = records.where(F.col("key") == given)
    if before is None or before.digest(given) not in before.digests:
        _require_known(tables, given, structure_id, of_given)
    forgotten = forgotten.with_also_reported(_devices_told_of(tables, records))
    keep_forgotten(spark, settings, forgotten)
    rows = dict.fromkeys(tables, 0)
    if CAMERA_STATUS in tables:  # first: it is made of rows that camera still has
        rows[CAMERA_STATUS] = _show_state_before(spark, settings, records, forgotten)
    for name, table in tables.items():
        belongs = belongs_to_forgotten(table.columns, forgotten)
        rows[name] += _delete(spark, settings, name, belongs)
        if name in ARCHIVE_TABLES:
            rows[name] += _delete_of(spark, settings, name, records)
    if CAMERA_STATUS in tables:  # before the change files are deleted that they would read next
        delete_alert_checkpoint(spark, settings)
    for name in tables:
        # Every file that a version before the deletion needs may hold the home.
        vacuum(spark, settings, name, retention_hours=0)
        purge_log(spark, settings, name, forgotten)
    keep_forgotten(spark, settings, replace(forgotten, is_removed=True))
    aside = tables_set_aside(spark, settings)
    in_kafka = _summarize(of_given) if structure_id else HomeRecords()
    return Removed(rows, len(devices), in_kafka, aside)


def _read_all_changes(spark: SparkSession, settings: Settings) -> None:
    """Let the queries that read tables come to their end: files they have not read will be gone."""
    if not table_exists(spark, settings, CAMERA):
        return
    for query in (camera_status, alerts):
        Checkpoint(spark, settings, query.NAME).clear_unplanned()
        query.start(spark, settings, once=True).awaitTermination()


def _devices_of(tables: Mapping[str, DataFrame], structure_id: str) -> set[str]:
    """Return the ids of a home's cameras."""
    if CAMERA not in tables:
        return set()
    of_home = tables[CAMERA].where(F.col("structure_id") == structure_id)
    rows = of_home.select("device_id").where("device_id IS NOT NULL").distinct().collect()
    return {row["device_id"] for row in rows}


def _devices_told_of(tables: Mapping[str, DataFrame], records: DataFrame) -> set[str]:
    """Return the ids of all cameras of which these records tell."""
    if CAMERA not in tables:
        return set()
    rows = _rows_of(tables[CAMERA], records)
    return {row["device_id"] for row in rows.select("device_id").distinct().collect()}


def _require_known(
    tables: Mapping[str, DataFrame], given: str, structure_id: str | None, records: DataFrame
) -> None:
    """Raise UserError unless the id is one: no other word of a text is, such as a zip code."""
    name, what = ("structure_id", "home") if structure_id else ("device_id", "camera")
    if structure_id and not records.isEmpty():
        return
    for table in tables.values():
        if not table.where(_has_id(table.columns, name, given)).isEmpty():
            return
    raise UserError(f"No table has anything of the {what} ({name}) {given!r}. Nothing was changed.")


def _has_id(columns: Sequence[str], name: str, given: str) -> Column:
    """Say of a table's row whether a column or a member of its raw text is the id."""
    member = rf"{name}\W{{1,9}}\Q{given.replace(_QUOTE_END, '')}\E\W"
    has_column = F.col(name) == given if name in columns else F.lit(False)
    return has_column | (F.col("raw").rlike(member) if "raw" in columns else F.lit(False))


def _records_of(spark: SparkSession, settings: Settings, forgotten: Forgotten) -> DataFrame:
    """Return key, position and timestamp of the messages with the key of a forgotten home."""
    records = read_records(spark, settings).where(is_of_forgotten_home(forgotten))
    key = F.col("key").cast("string")
    return records.select(key, "partition", "offset", "timestamp").persist()


def _summarize(records: DataFrame) -> HomeRecords:
    rows = records.groupBy("partition").agg(F.count("*"), F.max("offset")).collect()
    return HomeRecords(sum(row[1] for row in rows), {row[0]: row[2] + 1 for row in rows})


def _show_state_before(
    spark: SparkSession, settings: Settings, records: DataFrame, forgotten: Forgotten
) -> int:
    """Let each camera whose newest row is from one of these records have the row before it.

    That is the newest from other records; a camera without one has no state. Returns how many rows
    of ``camera_status`` were replaced or deleted.
    """
    status = delta_table(spark, settings, CAMERA_STATUS)
    devices = _rows_of(status.toDF(), records).select("device_id").persist()
    number = int(devices.count())
    if number:
        cameras = read_table(spark, settings, CAMERA)
        others = _rows_of(cameras, records, "left_anti")
        left = rows_without_forgotten(others.join(devices, "device_id", "left_semi"), forgotten)
        newest = devices.join(newest_per_camera(left.select(cameras.columns)), "device_id", "left")
        merge = status.alias("state").merge(
            newest.alias("newest"), "state.device_id = newest.device_id"
        )
        merge.whenMatchedUpdateAll("newest.offset IS NOT NULL").whenMatchedDelete().execute()
    return number


def _delete(spark: SparkSession, settings: Settings, name: str, condition: Column) -> int:
    """Delete the rows of a table for which a condition holds, and return how many they were."""
    table = delta_table(spark, settings, name)
    rows = int(table.toDF().where(condition).count())
    if rows:
        table.delete(condition)
    return rows


def _delete_of(spark: SparkSession, settings: Settings, name: str, records: DataFrame) -> int:
    """Delete the rows of a table that come from some records, and return how many they were."""
    table = delta_table(spark, settings, name)
    rows = int(_rows_of(table.toDF(), records).count())
    if rows:
        merge = table.alias("row").merge(records.alias("record"), _IS_OF_RECORD)
        merge.whenMatchedDelete().execute()
    return rows


def _rows_of(rows: DataFrame, records: DataFrame, join: str = "left_semi") -> DataFrame:
    """Keep the rows of a table that come from some records; with ``left_anti`` the others."""
    return rows.alias("row").join(records.alias("record"), F.expr(_IS_OF_RECORD), join)
