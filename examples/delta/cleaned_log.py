"""A stream that was too slow: commits that it has not read are gone from the table's log.

You should see Delta clean a log whose first commits are 40 days old (it keeps 30 by default,
``delta.logRetentionDuration``) while a stream is busy with the first of them. The stream fails, as
rows would be missing. With ``failOnDataLoss=false`` it goes on with the oldest commit that is left,
and what was between is missing from its output for ever. That helps only a query that is running:
started again it must read its last batch once more, and is refused with the option and without. Nor
can a new stream begin with a version that is gone. What helps is a new checkpoint: the table itself
is whole.
"""

import os
import time
from dataclasses import dataclass
from pathlib import Path

from pyspark.sql import DataFrame

from examples.error_condition import error_condition
from examples.playground import Playground
from examples.sightings import append, sightings

ROWS = ("B11", "B16")
DAY_S = 24 * 60 * 60


@dataclass(frozen=True)
class Observed:
    """What was refused, and how many of the table's 50 rows the streams gave."""

    commits_left: list[int]
    running: str | None
    restarted: str | None
    restarted_without_fail_on_data_loss: str | None
    from_version_1: str | None
    rows_without_fail_on_data_loss: int
    rows_with_new_checkpoint: int


def run(playground: Playground) -> Observed:
    """Let Delta clean the log under two streams, and try each way to go on."""
    table, lossy = playground.table("careful"), {"failOnDataLoss": "false"}
    running = error_condition(lambda: read_while_cleaned(playground, "careful"))
    left = sorted(int(file.stem) for file in Path(table, "_delta_log").glob("*.json"))
    playground.say(f"Of commits 0 to 4 the log still holds {left}. The running stream: {running}.")
    # In production: keep the log longer than your longest outage, and leave failOnDataLoss alone.
    rows = read_while_cleaned(playground, "lossy", **lossy)
    playground.say(f"One with failOnDataLoss=false got {rows} of 50 rows.")

    def read(checkpoint: str, **options: str) -> int:
        stream = playground.spark.readStream.format("delta").options(**options).load(table)
        return len(playground.rows_of(stream, checkpoint))

    restarted = error_condition(lambda: read("careful"))
    restarted_lossy = error_condition(lambda: read("careful", **lossy))
    gone = error_condition(lambda: read("gone", startingVersion="1"))
    playground.say(f"Started again: {restarted}; with failOnDataLoss=false: {restarted_lossy}.")
    whole = read("new")
    playground.say(f"From version 1: {gone}. With a new checkpoint: all {whole} rows.")
    return Observed(left, running, restarted, restarted_lossy, gone, rows, whole)


def read_while_cleaned(playground: Playground, name: str, **options: str) -> int:
    """Run a stream whose first batch takes 40 days; return how many rows it got in the end."""
    spark, table = playground.spark, playground.table(name)
    first = sightings(spark, 0, 10).write.format("delta")
    # A checkpoint of the log every four commits; Delta cleans when it has written one.
    first.option("delta.checkpointInterval", "4").save(table)
    rows: list[int] = []

    def write(batch: DataFrame, _: int) -> None:
        if not rows:
            forty_days_pass(playground, table)
        rows.append(batch.count())

    stream = spark.readStream.format("delta").options(**options).load(table)
    writer = stream.writeStream.foreachBatch(write)
    writer = writer.option("checkpointLocation", playground.checkpoint(name))
    with playground.running(writer) as query:
        query.processAllAvailable()
    return sum(rows)


def forty_days_pass(playground: Playground, table: str) -> None:
    """Append three commits, make all there are 40 days old, and append a fourth."""
    for version in range(1, 4):
        append(sightings(playground.spark, version * 10, version * 10 + 10), table)
    then = time.time() - 40 * DAY_S
    for file in Path(table, "_delta_log").iterdir():
        os.utime(file, (then, then))
    append(sightings(playground.spark, 40, 50), table)
