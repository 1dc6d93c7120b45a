"""A column of a stream's source is renamed, another dropped: the stream asks before it goes on.

You should see column mapping, by which a column changes its name without a file being written
anew. A stream without ``schemaTrackingLocation`` cannot follow. With it the stream reads what came
before the change under the old names, and stops; the next start is refused until an option says
that the change is meant (``allowSourceColumnRename``, ``allowSourceColumnDrop``), and then goes on
under the new names.
"""

from dataclasses import dataclass

from pyspark.sql import DataFrame

from examples.error_condition import error_condition
from examples.playground import Playground
from examples.sightings import append, sightings

ROWS = ("B13",)
RENAME, DROP = {"allowSourceColumnRename": "always"}, {"allowSourceColumnDrop": "always"}
# In production: the version of the change in place of always, so that the next one is asked about.


@dataclass(frozen=True)
class Observed:
    """What stopped each start of the tracked stream, and the columns of the rows that it gave."""

    untracked: str | None
    starts: list[str | None]
    columns: list[list[str]]


def run(playground: Playground) -> Observed:
    """Rename and drop columns between rows, and start streams until all has been read."""
    spark, table = playground.spark, playground.table("sightings")
    first = sightings(spark, 0, 2).write.format("delta")
    first.option("delta.columnMapping.mode", "name").save(table)
    columns: list[list[str]] = []

    def start(name: str, **options: str) -> str | None:
        def note_columns(batch: DataFrame, _: int) -> None:
            if not batch.isEmpty():
                columns.append(batch.columns)

        stream = spark.readStream.format("delta").options(**options).load(table)
        writer = stream.writeStream.foreachBatch(note_columns)
        writer = writer.option("checkpointLocation", playground.checkpoint(name))
        return error_condition(lambda: playground.run_to_end(writer))

    # The place must be inside the checkpoint, and each source of a query needs its own.
    tracking = {"schemaTrackingLocation": f"{playground.checkpoint('tracked')}/schema"}
    start("untracked")
    starts = [start("tracked", **tracking)]
    spark.sql(f"ALTER TABLE delta.`{table}` RENAME COLUMN device_id TO camera_id")
    append(sightings(spark, 2, 4).withColumnRenamed("device_id", "camera_id"), table)
    spark.sql(f"ALTER TABLE delta.`{table}` DROP COLUMN zip_code")
    append(sightings(spark, 4, 6).select("start_time"), table)

    untracked = start("untracked")
    playground.say(f"Without schemaTrackingLocation: {untracked}.")
    columns.clear()
    for options in ({}, {}, RENAME, RENAME | DROP):
        starts.append(start("tracked", **tracking, **options))
    playground.show(
        "With it, after the changes",
        [{"start": n, "stopped by": why or "-"} for n, why in enumerate(starts[1:], 1)],
    )
    for names in columns:
        playground.say(f"Rows came with the columns {', '.join(names)}.")
    return Observed(untracked, starts, columns)
