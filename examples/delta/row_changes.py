"""Rows of a table changed in place, its small files merged, and the old files removed.

You should see an update, a delete and a merge: each writes the files anew that hold a changed row,
and leaves the old ones for readers of older versions. OPTIMIZE merges small files into few and
changes no row. VACUUM deletes the files that no version of the last seven days needs. How long that
is, the table's property says (``delta.deletedFileRetentionDuration``): of the hours that VACUUM
itself is given, Delta 4.4 refuses 0, and ignores any other without an error. In the end the
property is set to nothing: VACUUM deletes the old files at once, and the versions that needed them
cannot be read any more.

With deletion vectors a delete writes no file anew: it notes beside the file which rows are gone.
You should see the deleted row stay in the file after OPTIMIZE, which has no second file to merge it
with. REORG TABLE ... APPLY (PURGE) writes the file anew without the row, and VACUUM then deletes
the old one.
"""

import os
import time
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq
from delta.tables import DeltaTable
from pyspark.sql import functions as F

from examples.error_condition import error_condition
from examples.playground import FEW_VACUUM_TASKS, Playground
from examples.sightings import append, sightings

ROWS = ("D5",)


@dataclass(frozen=True)
class Observed:
    """Rows by zip code and files of the newest version after each step, and files on the disk."""

    rows: dict[str, dict[str, int]]
    files: dict[str, int]
    on_disk: dict[str, int]
    short_vacuum: str | None
    is_day_old_file_left: bool
    """Whether VACUUM RETAIN 24 HOURS has left a file of two days that no version needs."""
    old_version: str | None
    rows_in_files: dict[str, list[int]]
    """Rows of each file on the disk, of a table of 40 rows of which a deletion vector hides one."""


def run(playground: Playground) -> Observed:
    """Change a table of four small files, optimize it and vacuum it."""
    spark, path = playground.spark, playground.table("sightings")
    for first in (0, 10, 20, 30):
        append(sightings(spark, first, first + 10), path)
    table = DeltaTable.forPath(spark, path)
    rows, files, on_disk = {}, {}, {}

    def note(step: str) -> None:
        by_zip_code = table.toDF().groupBy("zip_code").count().orderBy("zip_code")
        rows[step] = {row.zip_code: row["count"] for row in by_zip_code.collect()}
        files[step] = table.detail().collect()[0].numFiles
        on_disk[step] = len(list(Path(path).glob("*.parquet")))

    note("append, four times")
    table.update("hour(start_time) = 0 AND minute(start_time) < 5", {"zip_code": F.lit("10001")})
    note("update of 5 rows in one file")
    table.delete("device_id = 'cam3'")
    note("delete in every file")
    new = sightings(spark, 28, 44, zip_code="20002")
    same = "old.device_id = new.device_id AND old.start_time = new.start_time"
    merge = table.alias("old").merge(new.alias("new"), same)
    merge.whenMatchedUpdateAll().whenNotMatchedInsertAll().execute()
    note("merge: matched rows updated, others inserted")
    # In production: `nest maintain`, on a schedule, for all tables of the lake.
    table.optimize().executeCompaction()
    note("OPTIMIZE")
    short = error_condition(lambda: table.vacuum(0))
    stray = two_days_old_file(path)
    with playground.conf(*FEW_VACUUM_TASKS):
        table.vacuum(24)
        is_left = stray.exists()
        stray.unlink()
        table.vacuum()
    note("VACUUM after 7 days")
    # In production: never; a reader that has begun would lose its files.
    spark.sql(
        f"ALTER TABLE delta.`{path}` "
        "SET TBLPROPERTIES (delta.deletedFileRetentionDuration = 'interval 0 seconds')"
    )
    with playground.conf(*FEW_VACUUM_TASKS):
        table.vacuum()
    note("VACUUM after 0 seconds")
    old = error_condition(
        lambda: spark.read.format("delta").option("versionAsOf", 3).load(path).collect()
    )
    playground.show(
        "The newest version, and what lies in the folder",
        [
            {
                "after": step,
                "rows by zip code": ", ".join(f"{code}: {n}" for code, n in found.items()),
                "files": files[step],
                "on disk": on_disk[step],
            }
            for step, found in rows.items()
        ],
    )
    playground.say(
        f"VACUUM RETAIN 0 HOURS: {short}. RETAIN 24 HOURS leaves a file of two days: "
        f"{is_left}. Version 3 after the last VACUUM: {old}."
    )
    in_files = delete_with_a_vector(playground)
    playground.show(
        "40 rows, one of them deleted with a deletion vector",
        [{"after": step, "rows in each file on disk": str(n)} for step, n in in_files.items()],
    )
    return Observed(rows, files, on_disk, short, is_left, old, in_files)


def delete_with_a_vector(playground: Playground) -> dict[str, list[int]]:
    """Delete a row of a table with deletion vectors; return the rows in its files by step."""
    spark, path = playground.spark, playground.table("with_vectors")
    rows = (
        sightings(spark, 0, 40).write.format("delta").option("delta.enableDeletionVectors", "true")
    )
    rows.option("delta.deletedFileRetentionDuration", "interval 0 seconds").save(path)
    found = {}
    with playground.conf(*FEW_VACUUM_TASKS):
        for step, statement in (
            ("DELETE", "DELETE FROM {} WHERE minute(start_time) = 0"),
            ("OPTIMIZE", "OPTIMIZE {}"),
            # In production: after a deletion that a law asks for, and then VACUUM in time.
            ("REORG", "REORG TABLE {} APPLY (PURGE)"),
            ("VACUUM", "VACUUM {}"),
        ):
            spark.sql(statement.format(f"delta.`{path}`")).collect()
            files = Path(path).glob("*.parquet")
            found[step] = sorted(pq.read_metadata(file).num_rows for file in files)
    return found


def two_days_old_file(table: str) -> Path:
    """Put a file into a table's folder that no version has, and that is two days old."""
    stray, then = Path(table, "stray.parquet"), time.time() - 48 * 60 * 60
    stray.touch()
    os.utime(stray, (then, then))
    return stray
