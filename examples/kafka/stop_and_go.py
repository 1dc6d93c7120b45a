"""Stop a job in the middle and start it again: nothing is missing and nothing is there twice.

You should see two queries that die after they have written a batch and before the checkpoint knows
it, the worst moment there is. Started again, both repeat that batch. The plain one doubles it; the
one that writes with Delta's transaction ids has an unbroken sequence.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from pyspark.sql import DataFrame

from examples.playground import Playground, Record
from pipeline.lake.tables import append_once

ROWS = ("C4",)

NUMBERS, PER_BATCH, DIES_IN = 40, 10, 1


@dataclass(frozen=True)
class Observed:
    """Numbers in each table when the query had died, and what was wrong at the end."""

    at_the_stop: int
    missing: list[int]
    twice: list[int]
    missing_plain: list[int]
    twice_plain: list[int]


def run(playground: Playground) -> Observed:
    """Write the numbers 0 to 39 in batches of ten, die in the second, and go on."""
    topic = playground.topic("numbers", partitions=2)
    playground.send(topic, [Record(str(n).encode(), partition=n % 2) for n in range(NUMBERS)])
    stream = (
        playground.read_stream()
        .option("subscribe", topic)
        .option("startingOffsets", "earliest")
        .option("maxOffsetsPerTrigger", PER_BATCH)
        .load()
        .selectExpr("CAST(CAST(value AS STRING) AS INT) AS number")
    )
    once = partial(append_once, table="once", settings=playground.settings, query_id="numbers")

    def write_once(rows: DataFrame, batch_id: int) -> None:
        once(rows, batch_id=batch_id)

    def write_plain(rows: DataFrame, batch_id: int) -> None:
        rows.write.format("delta").mode("append").save(playground.table("plain"))

    def start(write: Callable[[DataFrame, int], None], name: str, *, die: bool) -> None:
        def write_and_die(rows: DataFrame, batch_id: int) -> None:
            write(rows, batch_id)
            if die and batch_id == DIES_IN:
                raise RuntimeError("killed after the write, before the commit")

        writer = stream.writeStream.foreachBatch(write_and_die)
        playground.run_to_end(writer.option("checkpointLocation", playground.checkpoint(name)))

    for write, name in ((write_once, "once"), (write_plain, "plain")):
        playground.refusal(partial(start, write, name, die=True))
    at_the_stop = len(numbers(playground, "once"))
    for write, name in ((write_once, "once"), (write_plain, "plain")):
        start(write, name, die=False)

    once_found, plain_found = numbers(playground, "once"), numbers(playground, "plain")
    observed = Observed(at_the_stop, *gaps_and_doubles(once_found), *gaps_and_doubles(plain_found))
    playground.say(f"When the queries died there were {at_the_stop} of {NUMBERS} numbers.")
    playground.show(
        "At the end",
        [
            {
                "table": "txnAppId and txnVersion",
                "missing": observed.missing,
                "twice": observed.twice,
            },
            {
                "table": "plain append",
                "missing": observed.missing_plain,
                "twice": observed.twice_plain,
            },
        ],
    )
    playground.say(
        "A batch that is repeated has the same offsets and the same number, so Delta can skip it. "
        "Delta as a sink (writeStream.format('delta')) does that by itself; in foreachBatch it is "
        "yours to do (pipeline/lake/tables.py)."
    )
    return observed


def numbers(playground: Playground, table: str) -> list[int]:
    """Return the numbers in a table."""
    rows = playground.spark.read.format("delta").load(playground.table(table)).collect()
    return [row.number for row in rows]


def gaps_and_doubles(found: list[int]) -> tuple[list[int], list[int]]:
    """Return the numbers that are missing and those that are there more than once."""
    count = Counter(found)
    return [n for n in range(NUMBERS) if not count[n]], sorted(n for n in count if count[n] > 1)
