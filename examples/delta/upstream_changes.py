"""A stream's source table is updated and deleted from: the stream stops, unless an option says how.

You should see one history of commits (six rows, a deleted partition, an updated row, an appended
row) read by five streams. Without an option the delete stops the stream. ``ignoreDeletes`` passes
a delete of whole partitions: run after that alone, it gives all six rows. The update stops it.
``skipChangeCommits`` passes both and gives nothing of them. The older ``ignoreChanges`` is still
accepted: it gives every row of a rewritten file again, also those that did not change. Last, the
other cure: delete output and checkpoint and start over.
"""

from dataclasses import dataclass
from functools import partial
from shutil import rmtree

from delta.tables import DeltaTable
from pyspark.sql import functions as F

from examples.error_condition import error_condition
from examples.playground import Playground
from examples.sightings import append, sightings

ROWS = ("B2", "B17")
OPTIONS = ("none", "ignoreDeletes", "skipChangeCommits", "ignoreChanges")


@dataclass(frozen=True)
class Observed:
    """What a stream gave after the delete alone, and then what each option made of all commits.

    By option what stopped the stream and how many rows it gave; rows of table and new start.
    """

    after_delete: tuple[str | None, int]
    """With ``ignoreDeletes``: what stopped it, and its rows."""
    stopped_by: dict[str, str | None]
    rows: dict[str, int]
    table: int
    started_over: int


def run(playground: Playground) -> Observed:
    """Change a partitioned table in four commits, then read it with each option."""
    source = playground.table("sightings")
    for zip_code, first, last in (("94304", 0, 3), ("01002", 3, 6)):
        rows = sightings(playground.spark, first, last, zip_code)
        rows.write.format("delta").mode("append").partitionBy("zip_code").save(source)
    table = DeltaTable.forPath(playground.spark, source)
    table.delete("zip_code = '01002'")
    ignored = error_condition(lambda: copy(playground, source, "ignoreDeletes", to="after_delete"))
    after_delete = (ignored, playground.count_rows("after_delete"))
    playground.say(
        f"ignoreDeletes after the delete alone: {after_delete[1]} rows, "
        f"{f'stopped by {ignored}' if ignored else 'no error'}."
    )
    table.update("device_id = 'cam0'", {"device_id": F.lit("cam9")})
    append(sightings(playground.spark, 6, 7), source)

    stopped_by, rows_of = {}, {}
    for option in OPTIONS:
        stopped_by[option] = error_condition(partial(copy, playground, source, option))
        rows_of[option] = playground.count_rows(option)
    playground.show(
        "One history, read from its first commit",
        [{"option": o, "stopped by": stopped_by[o] or "-", "rows": rows_of[o]} for o in OPTIONS],
    )

    # In production: stop whoever reads the output first, or write to a new table and switch names.
    rmtree(playground.checkpoint("skipChangeCommits"))
    rmtree(playground.table("skipChangeCommits"))
    copy(playground, source, "skipChangeCommits", first_version=None)
    started_over = playground.count_rows("skipChangeCommits")
    observed = Observed(
        after_delete, stopped_by, rows_of, playground.count_rows("sightings"), started_over
    )
    playground.say(
        "The outputs of skipChangeCommits and ignoreChanges still hold rows that were deleted "
        f"upstream. The table has {observed.table} rows. Without its output and its checkpoint "
        f"skipChangeCommits has started over from the table as it is now: {observed.started_over}."
    )
    return observed


def copy(
    playground: Playground,
    source: str,
    option: str,
    first_version: int | None = 0,
    to: str | None = None,
) -> None:
    """Copy a table as a stream to the table ``to``, by default that of the option's name.

    Without a first version, from the table as it is now.
    """
    to = to or option
    reader = playground.spark.readStream.format("delta")
    if option != "none":
        reader = reader.option(option, "true")
    if first_version is not None:
        reader = reader.option("startingVersion", first_version)
    playground.run_to_end(
        reader.load(source)
        .writeStream.format("delta")
        .option("checkpointLocation", playground.checkpoint(to))
        .option("path", playground.table(to))
    )
