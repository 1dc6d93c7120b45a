"""A write whose columns do not fit is refused; a new column is let in by ``mergeSchema``.

You should see a misspelt column and a wrong type refused, with the table unchanged. A new column
comes in where the writer asks for it, and the rows that were there read as null. A stream that runs
on the table meanwhile stops when the new column comes, and its next start goes on with it; the
table that it writes must take the new column, too.
"""

from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.streaming.readwriter import DataStreamWriter

from examples.error_condition import error_condition
from examples.playground import Playground
from examples.sightings import append, sightings

ROWS = ("D3", "B13")


@dataclass(frozen=True)
class Observed:
    """What was refused, what the table reads as, and what the stream copied."""

    new_column: str | None
    wrong_type: str | None
    rows_after_refusals: int
    names: list[str | None]
    stream_stopped_by: str | None
    copied_columns: list[str]
    copied_rows: int


def run(playground: Playground) -> Observed:
    """Write rows that do not fit, then let a column in under a running stream."""
    spark, table = playground.spark, playground.table("sightings")
    rows = sightings(spark, 0, 2)
    append(rows, table)
    named = sightings(spark, 2, 3).withColumn("name_long", F.lit("Front door"))
    new_column = error_condition(lambda: append(named, table))
    wrong_type = error_condition(lambda: append(rows.withColumn("start_time", F.lit(True)), table))
    playground.say(f"A column that the table lacks: {new_column}. A wrong type: {wrong_type}.")
    unchanged = read(playground, "sightings").count()

    def widen_and_go_on() -> None:
        with playground.running(copy(playground)) as query:
            query.processAllAvailable()
            # In production: add a column by ALTER TABLE, so that a misspelling never becomes one.
            named.write.format("delta").mode("append").option("mergeSchema", "true").save(table)
            query.processAllAvailable()

    stopped_by = error_condition(widen_and_go_on)
    playground.run_to_end(copy(playground))
    playground.say(f"The stream stopped ({stopped_by}); started again it went on.")
    playground.show("Its copy", copied := read(playground, "copy").orderBy("start_time"))
    return Observed(
        new_column,
        wrong_type,
        unchanged,
        [row.name_long for row in read(playground, "sightings").orderBy("start_time").collect()],
        stopped_by,
        copied.columns,
        copied.count(),
    )


def copy(playground: Playground) -> DataStreamWriter:
    """Copy the table as a stream, new columns included."""
    source = playground.spark.readStream.format("delta").load(playground.table("sightings"))
    return (
        source.writeStream.format("delta")
        .option("mergeSchema", "true")
        .option("checkpointLocation", playground.checkpoint("copy"))
        .option("path", playground.table("copy"))
    )


def read(playground: Playground, name: str) -> DataFrame:
    """Return a table as it is now."""
    return playground.spark.read.format("delta").load(playground.table(name))
