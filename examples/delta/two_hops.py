"""Kafka to a landing table, the landing table as a stream to a processed one, and on to counts.

You should see three streams run as a scheduled job would run them: ``availableNow`` reads all
there is and stops. The second run reads only what is new, as each query goes on from its
checkpoint. The first two append by path; the third replaces a table of the catalog in complete
mode, by ``toTable``. A Delta table as a sink refuses update mode: that is a MERGE, as the example
upsert has it. The checkpoints of the first two lie inside their tables. Between the runs VACUUM
cleans the landing table, as if all files in its folder were eight days old: it deletes a file that
no version knows, and leaves the checkpoint, because its folder's name begins with an underscore.
"""

import os
import time
from dataclasses import dataclass
from pathlib import Path

from delta.tables import DeltaTable
from pyspark.sql import DataFrame
from pyspark.sql.streaming.query import StreamingQuery
from pyspark.sql.streaming.readwriter import DataStreamWriter

from examples.error_condition import error_condition
from examples.playground import FEW_VACUUM_TASKS, Playground, Record
from pipeline.counting import hourly_counts, person_events, sightings, with_zip_codes
from pipeline.locations import read_locations
from pipeline.parsing.parser import CameraParser, parse_records
from pipeline.schema import sighting_schema

ROWS = ("D2", "B6", "B10")
EIGHT_DAYS_S = 8 * 24 * 60 * 60
"""A day more than VACUUM leaves files that no version needs."""


@dataclass(frozen=True)
class Observed:
    """Rows that each run of a hop read; what the tables hold; what is left and what is refused.

    ``checkpoint_files`` are those of the landing table before and after VACUUM.
    """

    landing: list[int]
    processed: list[int]
    sightings: int
    counted: int
    checkpoint_files: tuple[list[str], list[str]]
    is_stray_file_left: bool
    update_mode: str | None


def run(playground: Playground) -> Observed:
    """Run the three hops, clean the first table, send more messages, and run them again."""
    topic, database = playground.topic("two-hops"), playground.database("two_hops")
    messages = playground.messages(500)
    landing, processed = [], []

    def run_hops(new: list[Record]) -> None:
        playground.send(topic, new)
        landing.append(rows_read(playground.run_to_end(land(playground, topic))))
        processed.append(rows_read(playground.run_to_end(process(playground))))
        counts = count(playground).trigger(availableNow=True).toTable(f"{database}.counts")
        counts.awaitTermination()

    run_hops(messages[:300])
    stray = Path(playground.table("landing"), "stray.parquet")
    stray.touch()
    before = files_in(checkpoint(playground, "landing"))
    age_by_eight_days(playground.table("landing"))
    with playground.conf(*FEW_VACUUM_TASKS):
        DeltaTable.forPath(playground.spark, playground.table("landing")).vacuum()
    after = files_in(checkpoint(playground, "landing"))
    playground.say(
        f"VACUUM: the file that no version knows is {'left' if stray.exists() else 'gone'}, "
        f"{len(after)} of {len(before)} files of the checkpoint are left."
    )
    run_hops(messages[300:])
    runs = zip(landing, processed, strict=True)
    playground.show("Rows read", [{"to landing": a, "to processed": b} for a, b in runs])

    counted = playground.spark.table(f"{database}.counts")
    hours = counted.selectExpr("zip_code", "window.start AS hour", "count")
    playground.show("The highest counts", hours.orderBy("count", ascending=False).limit(5))
    update_mode = error_condition(
        lambda: playground.run_to_end(
            count(playground).outputMode("update").option("path", playground.table("updated"))
        )
    )
    playground.say(f"A Delta table as a sink in update mode: {update_mode}.")
    return Observed(
        landing,
        processed,
        playground.spark.read.format("delta").load(playground.table("processed")).count(),
        counted.agg({"count": "sum"}).collect()[0][0],
        (before, after),
        stray.exists(),
        update_mode,
    )


def land(playground: Playground, topic: str) -> DataStreamWriter:
    """Store each record as it is, so that a better parser can read it again."""
    records = (
        playground.spark.readStream.format("kafka")
        .option("kafka.bootstrap.servers", playground.bootstrap_servers)
        .option("subscribe", topic)
        .option("startingOffsets", "earliest")
        .load()
    )
    return append_to(playground, "landing", records)


def process(playground: Playground) -> DataStreamWriter:
    """Parse what has landed, and keep each sighting once, with its zip code."""
    records = playground.spark.readStream.format("delta").load(playground.table("landing"))
    return append_to(playground, "processed", records.transform(placed_sightings, playground))


def placed_sightings(records: DataFrame, playground: Playground) -> DataFrame:
    """Parse records, and keep each sighting once, with its zip code; of a stream or a batch."""
    settings = playground.settings
    return (
        records.transform(parse_records, CameraParser(sighting_schema()))
        .transform(person_events)
        .transform(sightings, settings.watermark)
        .transform(with_zip_codes, read_locations(playground.spark, settings.device_locations))
    )


def append_to(playground: Playground, name: str, rows: DataFrame) -> DataStreamWriter:
    """Append a stream to a table by path; its checkpoint is a folder of the table."""
    return (
        rows.writeStream.format("delta")
        .outputMode("append")
        .option("checkpointLocation", checkpoint(playground, name))
        .option("path", playground.table(name))
    )


def count(playground: Playground) -> DataStreamWriter:
    """Count per zip code and hour; complete mode writes the whole table anew in each batch."""
    # In production: MERGE the changed counts, as complete mode keeps every hour in memory for ever.
    processed = playground.spark.readStream.format("delta").load(playground.table("processed"))
    return (
        processed.transform(hourly_counts)
        .writeStream.format("delta")
        .outputMode("complete")
        .option("checkpointLocation", playground.checkpoint("counts"))
    )


def checkpoint(playground: Playground, name: str) -> str:
    """Return the checkpoint of the query that writes a table."""
    return f"{playground.table(name)}/_checkpoints"


def files_in(folder: str) -> list[str]:
    """Return the files of a folder and of those below it, by their paths in it."""
    return sorted(str(each.relative_to(folder)) for each in Path(folder).rglob("*"))


def age_by_eight_days(folder: str) -> None:
    """Let all files of a folder look as if they had been written eight days ago."""
    then = time.time() - EIGHT_DAYS_S
    for each in Path(folder).rglob("*"):
        os.utime(each, (then, then))


def rows_read(query: StreamingQuery) -> int:
    """Return the number of rows that an ended query read."""
    return sum(progress["numInputRows"] for progress in query.recentProgress)
