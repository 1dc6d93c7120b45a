"""A stateful query that starts on an old table: rows that its own watermark throws away.

You should see a table whose files are not in the order of the events, as after a late load. A
stream reads the files one after the other in the order in which they were written; a file of new
events moves the watermark on, and older events that come after that are dropped. Delta's
documentation has an option against it, ``withEventTimeOrder``. Open-source Delta 4.4 takes it
without a word and does nothing (https://github.com/delta-io/delta/issues/2748). So its limits do
not arise: a query may not change it before it has read the table's first snapshot to the end, and
generated columns and two sources are not supported. Two things do help: to read the whole table in
one batch, as a watermark moves only between batches; or, where that is too much, a copy whose
commits are in the order of the events, read from its first version.
"""

from dataclasses import dataclass
from datetime import timedelta

from pyspark.sql import DataFrame

from examples.playground import Playground
from examples.sightings import append, sightings
from pipeline.counting import sightings as distinct_sightings

ROWS = ("B5", "B16")
WATERMARK = timedelta(hours=1)
HOURS = (5, 0, 9, 2)
"""The hour of the events in each file, in the order in which the files were written."""


@dataclass(frozen=True)
class Observed:
    """How many sightings the table has, and how many each way to read it lost."""

    sightings: int
    lost: dict[str, int]


def run(playground: Playground) -> Observed:
    """Read the same sightings in four ways with a watermark of an hour."""
    table, ordered = playground.table("sightings"), playground.table("ordered")
    for hour in HOURS:
        append(sightings(playground.spark, hour * 60, hour * 60 + 30), table)
    rows = playground.spark.read.format("delta").load(table)
    # In production: one commit for each day of a large table.
    for hour in sorted(HOURS):
        append(rows.where(f"hour(start_time) = {hour}"), ordered)

    total = 30 * len(HOURS)
    one_file = {"maxFilesPerTrigger": "1"}
    reads = {
        "file by file": stream(playground, table, one_file),
        "withEventTimeOrder": stream(playground, table, one_file | {"withEventTimeOrder": "true"}),
        "one batch": stream(playground, table, {"maxFilesPerTrigger": "1000"}),
        "ordered copy": stream(playground, ordered, one_file | {"startingVersion": "0"}),
    }
    lost = {
        name: total - len(playground.rows_of(read.transform(distinct_sightings, WATERMARK), name))
        for name, read in reads.items()
    }
    playground.show(
        f"Of {total} sightings", [{"read": name, "lost": number} for name, number in lost.items()]
    )
    playground.say(
        "The progress of a query counts such rows as numRowsDroppedByWatermark. A query that has "
        "run from the table's beginning loses only rows that were committed later than its "
        "watermark allows."
    )
    return Observed(total, lost)


def stream(playground: Playground, table: str, options: dict[str, str]) -> DataFrame:
    """Return a table as a stream."""
    return playground.spark.readStream.format("delta").options(**options).load(table)
