"""A table as it was: by version and by moment, its history, and back to an old version by RESTORE.

You should see a good table, a bad update, and the table read as it was before, both by version and
by timestamp. The history names every commit, its operation and its figures. RESTORE is one more
commit: the bad version stays in the history, so that a restore can be taken back. All this reaches
as far back as ``delta.deletedFileRetentionDuration``, seven days by default: Delta 4.4 refuses what
is older, whether or not VACUUM has removed its files yet.
"""

from dataclasses import dataclass

from delta.tables import DeltaTable
from pyspark.sql import functions as F

from examples.error_condition import error_condition
from examples.playground import Playground
from examples.sightings import append, sightings

ROWS = ("D4", "D8")
KEEP_NOTHING = "(delta.deletedFileRetentionDuration = 'interval 0 seconds')"
ONLY_WITHIN_RETENTION = (
    "spark.databricks.delta.vacuum.enforceTimeTravelWithinDeletedFileRetentionDuration",
    "true",  # Delta's default
)


@dataclass(frozen=True)
class Observed:
    """Unplaced sightings in each view of the table, the history, and what was refused."""

    now: int
    by_version: int
    by_timestamp: int
    restored: int
    taken_back: int
    operations: list[str]
    future_version: str | None
    future_timestamp: str | None
    too_old_version: str | None


def run(playground: Playground) -> Observed:
    """Spoil a table, look at it as it was, restore it, and take the restore back."""
    spark, path = playground.spark, playground.table("sightings")
    append(sightings(spark, 0, 60), path)
    append(sightings(spark, 60, 120), path)
    table = DeltaTable.forPath(spark, path)
    table.update("device_id = 'cam1'", {"zip_code": F.lit("unknown")})

    def unplaced(**options: str | int) -> int:
        rows = spark.read.format("delta").options(**options).load(path)
        return rows.where("zip_code = 'unknown'").count()

    moments = table.history().selectExpr("version", "CAST(timestamp AS STRING) AS moment")
    before = next(row.moment for row in moments.collect() if row.version == 1)
    now, by_version = unplaced(), unplaced(versionAsOf=1)
    by_timestamp = unplaced(timestampAsOf=before)
    playground.say(
        f"Unplaced sightings: {now} now, {by_version} in version 1, {by_timestamp} at {before}."
    )

    # In production: stop the streams that read the table first, for to them this is an update.
    table.restoreToTimestamp(before)
    restored = unplaced()
    table.restoreToVersion(2)
    taken_back = unplaced()
    history = table.history().orderBy("version").select("version", "operation", "operationMetrics")
    figures = ("numOutputRows", "numUpdatedRows", "numRestoredFiles", "numRemovedFiles")
    playground.show(
        "The history",
        [
            {"version": row.version, "operation": row.operation}
            | {name: row.operationMetrics.get(name) for name in figures}
            for row in history.collect()
        ],
    )
    no_version = error_condition(lambda: unplaced(versionAsOf=99))
    no_moment = error_condition(lambda: unplaced(timestampAsOf="2999-01-01"))
    # This project's sessions let older versions be read while their files are there.
    with playground.conf(*ONLY_WITHIN_RETENTION):
        spark.sql(f"ALTER TABLE delta.`{path}` SET TBLPROPERTIES {KEEP_NOTHING}")
        too_old = error_condition(lambda: unplaced(versionAsOf=1))
    playground.say(
        f"Version 99: {no_version}. The year 2999: {no_moment}. Version 1 where nothing older is "
        f"to be kept, although its files are there: {too_old}."
    )
    return Observed(
        now,
        by_version,
        by_timestamp,
        restored,
        taken_back,
        [row.operation for row in history.collect()],
        no_version,
        no_moment,
        too_old,
    )
