"""The change feed of a table as a stream: what happened to each row, and not only what was added.

You should see one camera go offline: the update comes as two rows, before and after it. A stream
that starts without a version gets the table as it is, as inserts; one that starts at a version
gets the changes since. A table records no changes before ``delta.enableChangeDataFeed`` is set,
and a stream that asks for them is refused.
"""

from collections import Counter
from dataclasses import dataclass

from delta.tables import DeltaTable
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from examples.error_condition import error_condition
from examples.playground import Playground
from examples.sightings import append

ROWS = ("B3",)


@dataclass(frozen=True)
class Observed:
    """The kinds of changes that each stream gave, and the cameras that went offline."""

    from_now: dict[str, int]
    from_version: dict[str, int]
    went_offline: list[str]
    without_feed: str | None


def run(playground: Playground) -> Observed:
    """Change a table of cameras' states, and read its changes from two starting points."""
    spark, table = playground.spark, playground.table("camera_status")
    cameras = spark.range(3, numPartitions=1).select(
        F.format_string("cam%d", "id").alias("device_id"), F.lit(True).alias("is_online")
    )
    with_feed = cameras.write.format("delta").option("delta.enableChangeDataFeed", "true")
    with_feed.save(table)
    status = DeltaTable.forPath(spark, table)
    status.update("device_id = 'cam1'", {"is_online": F.lit(False)})
    status.delete("device_id = 'cam2'")

    # The pipeline's own alerts read the feed like this and write each change to Kafka.
    now = playground.rows_of(changes(playground, table), "now")
    since = playground.rows_of(changes(playground, table, startingVersion=1), "since")
    playground.show(
        "The changes since version 1",
        [row.asDict() for row in sorted(since, key=lambda row: row._commit_version)],
    )

    append(cameras, playground.table("no_feed"))
    refused = error_condition(
        lambda: playground.rows_of(
            changes(playground, playground.table("no_feed"), startingVersion=0), "no_feed"
        )
    )
    playground.say(f"A table without a change feed: {refused}.")
    return Observed(
        dict(Counter(row._change_type for row in now)),
        dict(Counter(row._change_type for row in since)),
        [row.device_id for row in since if row._change_type == "update_postimage"],
        refused,
    )


def changes(playground: Playground, table: str, **options: int) -> DataFrame:
    """Return the change feed of a table as a stream.

    Beside the table's columns: _change_type, _commit_version and _commit_timestamp.
    """
    reader = playground.spark.readStream.format("delta").option("readChangeFeed", "true")
    return reader.options(**options).load(table)
