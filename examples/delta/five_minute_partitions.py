"""The old way, INSERT OVERWRITE of five-minute partitions, beside appending to a Delta table.

You should see five minutes of sightings come minute by minute. The old way writes the partition
anew each minute: the same rows again and again, and a reader that has begun loses its files. A
sighting that comes late overwrites a partition that is full. Appending to Delta writes each row
once, never disturbs a reader and takes late rows like any other; its price is small files, which
OPTIMIZE merges. A rerun of the last minute changes nothing in the old way. In Delta it doubles
rows, unless the minute is written under a ``txnVersion``.
"""

from dataclasses import dataclass
from pathlib import Path

from delta.tables import DeltaTable
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from contract.settings import load_settings
from examples.error_condition import error_condition
from examples.playground import Playground
from examples.sightings import append, sightings
from pipeline.lake.tables import append_once

ROWS = ("C7",)
MINUTES = 5


@dataclass(frozen=True)
class WriteMethod:
    """What became of a sighting a minute for five minutes, and then of one more and a late one."""

    rows_written: int
    reader: str | None
    rows_after_rerun: int
    rows_after_late: int
    files: int


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
    playground.show("Five sightings, two more", [{"way": name} | vars(way) for name, way in ways])

    playground.say(
        "The reader had begun when the last minute came. The late sighting came alone, and took "
        "the place of the five that were in its partition."
    )
    plain = playground.table("plain")
    for _ in ("a run", "its rerun"):
        append(sightings(playground.spark, 0, MINUTES), plain)
    doubled = playground.spark.read.format("delta").load(plain).count()
    playground.say(f"A rerun without txnVersion: {doubled} rows in place of {MINUTES}.")
    return Observed(old, new, doubled)


def overwrite(playground: Playground) -> WriteMethod:
    """Write all rows of a partition each minute, in place of those that are there."""
    spark, path = playground.spark, playground.table("partitions")
    start = F.window("start_time", "5 minutes").start

    def insert_overwrite(rows: DataFrame) -> None:
        partitions = rows.withColumn("five_minutes", F.date_format(start, "yyyy-MM-dd-HH-mm"))
        writer = partitions.write.mode("overwrite").partitionBy("five_minutes")
        writer.option("partitionOverwriteMode", "dynamic").parquet(path)

    rows_written = 0
    for minute in range(MINUTES):
        if minute == MINUTES - 1:
            begun = spark.read.parquet(path)
        insert_overwrite(sightings(spark, 0, minute + 1))
        rows_written += minute + 1
    reader = error_condition(begun.collect)
    insert_overwrite(sightings(spark, 0, MINUTES))
    after_rerun = spark.read.parquet(path).count()
    insert_overwrite(next_and_late(playground))
    after_late = spark.read.parquet(path).count()
    files = len(list(Path(path).rglob("*.parquet")))
    return WriteMethod(rows_written, reader, after_rerun, after_late, files)


def append_each(playground: Playground) -> WriteMethod:
    """Append each minute's row once, then merge the small files."""
    spark, path = playground.spark, playground.table("appended")
    settings = load_settings().model_copy(update={"lake": str(playground.folder / "lake")})

    def append_minute(minute: int) -> None:
        row = sightings(spark, minute, minute + 1)
        append_once(row, "appended", settings=settings, query_id="minutes", batch_id=minute)

    for minute in range(MINUTES):
        if minute == MINUTES - 1:
            begun = spark.read.format("delta").load(path)
        append_minute(minute)
    reader = error_condition(begun.collect)
    append_minute(MINUTES - 1)
    after_rerun = spark.read.format("delta").load(path).count()
    append(next_and_late(playground), path)
    # In production: `nest maintain`, on a schedule.
    table = DeltaTable.forPath(spark, path)
    table.optimize().executeCompaction()
    files = table.detail().collect()[0].numFiles
    return WriteMethod(MINUTES, reader, after_rerun, table.toDF().count(), files)


def next_and_late(playground: Playground) -> DataFrame:
    """Return the sighting of the next minute, and one of minute 2 that comes with it."""
    late = sightings(playground.spark, 2, 3).withColumn("device_id", F.lit("late"))
    return sightings(playground.spark, MINUTES, MINUTES + 1).unionAll(late)
