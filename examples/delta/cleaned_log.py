"""A stream that was too slow: commits that it has not read are gone from the table's log.

You should see Delta clean a log whose first commits are 40 days old (it keeps 30 by default,
``delta.logRetentionDuration``) while a stream is busy with the first of them. The stream fails, as
rows would be missing. With ``failOnDataLoss=false`` it goes on with the oldest commit that is left,
and what was between is missing from its output for ever. That helps only a query that is running:
started again it must read its last batch once more, and is refused with the option and without,
whether that batch was the first rows of the table or a later commit. Nor can a new stream begin
with a version that is gone. What helps is a new checkpoint: the table itself is whole.
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
    after_version_1: str | None
    """What a stream was refused with whose last batch was version 1."""
    after_version_1_without_fail_on_data_loss: str | None


def run(playground: Playground) -> Observed:
    """Let Delta clean the log under two streams, and try each way to go on."""
    table, lossy = playground.table("careful"), {"failOnDataLoss": "false"}
    running = error_condition(lambda: read_while_cleaned(playground, "careful"))
    left = sorted(int(file.stem) for file in Path(table, "_delta_log").glob("*.json"))
    playground.say(f"Of commits 0 to 4 the log still holds {left}. The running stream: {running}.")
    # In production: keep the log longer than your longest outage, and leave failOnDataLoss alone.
    rows = read_while_cleaned(playground, "lossy", **lossy)
    playground.say(f"One with failOnDataLoss=false got {rows} of 50 rows.")

    restarted = error_condition(lambda: read_new_rows(playground, table, "careful"))
    restarted_lossy = error_condition(lambda: read_new_rows(playground, table, "careful", **lossy))
    gone = error_condition(lambda: read_new_rows(playground, table, "gone", startingVersion="1"))
    playground.say(f"Started again: {restarted}; with failOnDataLoss=false: {restarted_lossy}.")
    whole = read_new_rows(playground, table, "new")
    playground.say(f"From version 1: {gone}. With a new checkpoint: all {whole} rows.")

    later = stop_before_the_cleaning(playground, "later")
    after_1 = error_condition(lambda: read_new_rows(playground, later, "later"))
    after_1_lossy = error_condition(lambda: read_new_rows(playground, later, "later", **lossy))
    playground.say(f"One whose last batch was version 1: {after_1}; {after_1_lossy}.")
    return Observed(
        left, running, restarted, restarted_lossy, gone, rows, whole, after_1, after_1_lossy
    )


def read_new_rows(playground: Playground, table: str, checkpoint: str, **options: str) -> int:
    """Let a stream read what is new in a table; return how many rows that is."""
    stream = playground.spark.readStream.format("delta").options(**options).load(table)
    return len(playground.rows_of(stream, checkpoint))


def stop_before_the_cleaning(playground: Playground, name: str) -> str:
    """Let a stream read version 0, then version 1, and stop; return its table, cleaned since."""
    table = new_table(playground, name)
    read_new_rows(playground, table, name)
    append(sightings(playground.spark, 10, 20), table)
    read_new_rows(playground, table, name)
    forty_days_pass(playground, table, first=2)
    return table


def new_table(playground: Playground, name: str) -> str:
    """Make a table of 10 rows whose log gets a checkpoint every four commits.

    Delta cleans the log when it has written one.
    """
    table = playground.table(name)
    first = sightings(playground.spark, 0, 10).write.format("delta")
    first.option("delta.checkpointInterval", "4").save(table)
    return table


def read_while_cleaned(playground: Playground, name: str, **options: str) -> int:
    """Run a stream whose first batch takes 40 days; return how many rows it got in the end."""
    spark, table = playground.spark, new_table(playground, name)
    rows: list[int] = []

    def write(batch: DataFrame, _: int) -> None:
        if not rows:
            forty_days_pass(playground, table, first=1)
        rows.append(batch.count())

    stream = spark.readStream.format("delta").options(**options).load(table)
    writer = stream.writeStream.foreachBatch(write)
    writer = writer.option("checkpointLocation", playground.checkpoint(name))
    with playground.running(writer) as query:
        query.processAllAvailable()
    return sum(rows)


def forty_days_pass(playground: Playground, table: str, first: int) -> None:
    """Append the versions up to 3, make all there are 40 days old, and append version 4."""
    for version in range(first, 4):
        append(sightings(playground.spark, version * 10, version * 10 + 10), table)
    then = time.time() - 40 * DAY_S
    for file in Path(table, "_delta_log").iterdir():
        os.utime(file, (then, then))
    append(sightings(playground.spark, 40, 50), table)
