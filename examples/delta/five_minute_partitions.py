"""The old way, five-minute partitions that INSERT OVERWRITE merges, beside appending to Delta.

You should see five minutes of sightings come minute by minute, each as a small file. In the old way
a statement rewrites the partition as one file. A reader that has begun loses its files, and a late
sighting that comes while the statement runs is lost without a word. A rerun of the last minute
doubles its row. A Delta table takes the same rows: OPTIMIZE merges the files, disturbs no reader
and loses nothing. A rerun of the minute changes nothing there, if it is written under a
``txnVersion``; without one it doubles rows, too.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from delta.tables import DeltaTable
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from contract.settings import load_settings
from examples.error_condition import error_condition
from examples.playground import Playground
from examples.sightings import append, sightings
from pipeline.lake.exactly_once import append_once

ROWS = ("C7",)
MINUTES = 5

MERGE_PARTITION = """
    INSERT OVERWRITE TABLE {table} PARTITION (five_minutes)
    SELECT /*+ COALESCE(1) */ * FROM {rows} WHERE five_minutes = '2026-03-04T00:00'
"""
"""The statement that writes a partition's rows as one file, in place of the files it has.

It needs the partitionOverwriteMode ``dynamic``: without it, it would replace all partitions.
"""


@dataclass(frozen=True)
class WriteMethod:
    """What became of a sighting a minute for five minutes, the last of them written twice."""

    rows_after_rerun: int
    files: int
    files_merged: int
    reader: str | None
    """With what a reader fails that had begun before the files were merged."""
    is_late_row_kept: bool
    """Whether a late sighting is there that came while files were merged."""


@dataclass(frozen=True)
class Observed:
    """Both ways, and Delta's rows after a rerun that has no txnVersion."""

    overwriting: WriteMethod
    appending: WriteMethod
    plain_rerun: int


def run(playground: Playground) -> Observed:
    """Write the same sightings in both ways, run the last minute twice, and add a late one."""
    old, new = overwrite(playground), append_each(playground)
    ways = (("INSERT OVERWRITE", old), ("append to Delta", new))
    playground.show("Five sightings", [{"way": name} | vars(way) for name, way in ways])

    playground.say(
        "The reader had begun before the files were merged. The late sighting came while they were "
        "merged: INSERT OVERWRITE had listed the files that it reads, and replaces all that there "
        "are by then. To be sure of this order, the example lists the files first."
    )
    plain = playground.table("plain")
    for _ in ("a run", "its rerun"):
        append(sightings(playground.spark, 0, MINUTES), plain)
    doubled = playground.spark.read.format("delta").load(plain).count()
    playground.say(f"A rerun without txnVersion: {doubled} rows in place of {MINUTES}.")
    return Observed(old, new, doubled)


def overwrite(playground: Playground) -> WriteMethod:
    """Append each minute's row to its partition, then merge the partition's small files."""
    spark = playground.spark
    table = f"{playground.database('five_minutes')}.sighting"
    start = F.date_format(F.window("start_time", "5 minutes").start, "yyyy-MM-dd'T'HH:mm")

    def add(rows: DataFrame) -> None:
        writer = rows.withColumn("five_minutes", start).write.format("parquet").mode("append")
        writer.partitionBy("five_minutes").saveAsTable(table)

    def merge(rows: str) -> None:
        with playground.conf("spark.sql.sources.partitionOverwriteMode", "dynamic"):
            spark.sql(MERGE_PARTITION.format(table=table, rows=rows))

    for minute in (*range(MINUTES), MINUTES - 1):
        add(sightings(spark, minute, minute + 1))
    after_rerun, files = spark.table(table).count(), spark.table(table).inputFiles()
    begun = spark.read.parquet(str(Path(files[0]).parents[1]))
    merge(table)
    merged = spark.table(table).inputFiles()
    reader = error_condition(begun.collect)

    # The statement lists the partition's files, and after that the late row comes.
    spark.read.parquet(str(Path(merged[0]).parents[1])).createOrReplaceTempView("as_listed")
    add(late_sighting(playground))
    merge("as_listed")
    return WriteMethod(
        after_rerun, len(files), len(merged), reader, has_late_sighting(spark.table(table))
    )


def append_each(playground: Playground) -> WriteMethod:
    """Append each minute's row once, then merge the small files."""
    spark, path = playground.spark, playground.table("appended")
    settings = load_settings().model_copy(update={"lake": str(playground.folder / "lake")})

    for minute in (*range(MINUTES), MINUTES - 1):
        row = sightings(spark, minute, minute + 1)
        append_once(row, "appended", settings=settings, query_id="minutes", batch_id=minute)
    table = DeltaTable.forPath(spark, path)
    begun = spark.read.format("delta").load(path)
    after_rerun, files = begun.count(), begun.inputFiles()
    # In production: `nest maintain`, on a schedule.
    table.optimize().executeCompaction()
    merged = spark.read.format("delta").load(path).inputFiles()
    reader = error_condition(begun.collect)

    for minute in range(MINUTES, 2 * MINUTES):  # so that there are small files again
        append(sightings(spark, minute, minute + 1), path)
    with ThreadPoolExecutor() as threads:
        merging = threads.submit(table.optimize().executeCompaction)
        append(late_sighting(playground), path)
        merging.result()
    return WriteMethod(
        after_rerun, len(files), len(merged), reader, has_late_sighting(table.toDF())
    )


def late_sighting(playground: Playground) -> DataFrame:
    """Return a sighting of minute 2, by a camera that nobody has heard of so far."""
    return sightings(playground.spark, 2, 3).withColumn("device_id", F.lit("late"))


def has_late_sighting(rows: DataFrame) -> bool:
    """Tell whether the late sighting is there."""
    return not rows.where("device_id = 'late'").isEmpty()
