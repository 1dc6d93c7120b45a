"""Stop a job in the middle and start it again: nothing is missing and nothing is there twice.

You should see two queries that die after they have written a batch and before the checkpoint knows
it, the worst moment there is. Started again, both repeat that batch. The plain one doubles it; the
one that writes with Delta's transaction ids has an unbroken sequence. So has a query with Delta as
its sink, whose checkpoint has lost what it knew of its last batch.
"""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pyspark.sql import DataFrame

from examples.numbers_stream import (
    gaps_and_doubles,
    numbers_in,
    send_numbers,
    stream_numbers,
    write_numbers,
)
from examples.playground import Playground
from pipeline.lake.exactly_once import append_once

ROWS = ("C4",)

NUMBERS, DIES_IN = 40, 1


@dataclass(frozen=True)
class Observed:
    """Numbers in each table when the query had died, and what was wrong at the end.

    ``repeated_by_sink`` are the batches that the query with Delta as its sink ran again.
    """

    at_the_stop: int
    missing: list[int]
    twice: list[int]
    missing_plain: list[int]
    twice_plain: list[int]
    repeated_by_sink: list[int]
    missing_in_sink: list[int]
    twice_in_sink: list[int]


def run(playground: Playground) -> Observed:
    """Write the numbers 0 to 39 in batches of ten, die in the second, and go on."""
    topic = playground.topic("numbers", partitions=2)
    send_numbers(playground, topic, 0, NUMBERS)
    once = partial(append_once, table="once", settings=playground.settings, query_id="numbers")

    def write_once(rows: DataFrame, batch_id: int) -> None:
        once(rows, batch_id=batch_id)

    def write_plain(rows: DataFrame, batch_id: int) -> None:
        rows.write.format("delta").mode("append").save(playground.table("plain"))

    writes = {"once": write_once, "plain": write_plain}
    for table, write in writes.items():
        start = partial(write_numbers, playground, topic, write, table)
        playground.refusal(partial(start, dies_in=DIES_IN))
    at_the_stop = len(numbers_in(playground, "once"))
    for table, write in writes.items():
        write_numbers(playground, topic, write, table)

    stream_into_delta_sink(playground, topic)
    forget_last_batch(Path(playground.checkpoint("sink")))
    repeated_by_sink = stream_into_delta_sink(playground, topic)

    missing, twice = gaps_and_doubles(numbers_in(playground, "once"), NUMBERS)
    missing_plain, twice_plain = gaps_and_doubles(numbers_in(playground, "plain"), NUMBERS)
    missing_in_sink, twice_in_sink = gaps_and_doubles(numbers_in(playground, "sink"), NUMBERS)
    observed = Observed(
        at_the_stop,
        missing,
        twice,
        missing_plain,
        twice_plain,
        repeated_by_sink,
        missing_in_sink,
        twice_in_sink,
    )
    playground.say(f"When the queries died there were {at_the_stop} of {NUMBERS} numbers.")
    rows = [
        {"table": "txnAppId and txnVersion", "missing": missing, "twice": twice},
        {"table": "plain append", "missing": missing_plain, "twice": twice_plain},
        {"table": "Delta as the sink", "missing": missing_in_sink, "twice": twice_in_sink},
    ]
    playground.show("At the end", rows)
    playground.say(
        "A batch that is repeated has the same offsets and the same number, so Delta can skip it. "
        "Delta as a sink (writeStream.format('delta')) does that by itself; in foreachBatch it is "
        "yours to do (pipeline/lake/exactly_once.py)."
    )
    return observed


def stream_into_delta_sink(playground: Playground, topic: str) -> list[int]:
    """Stream the numbers to a table with Delta as the sink; return the numbers of the batches."""
    query = playground.run_to_end(
        stream_numbers(playground, topic)
        .writeStream.format("delta")
        .option("path", playground.table("sink"))
        .option("checkpointLocation", playground.checkpoint("sink"))
    )
    return [progress["batchId"] for progress in query.recentProgress]


def forget_last_batch(checkpoint: Path) -> None:
    """Leave a checkpoint as a kill does after a batch was written and before that was noted."""
    commits = checkpoint / "commits"
    newest = max((each for each in commits.iterdir() if each.name.isdecimal()), key=_number)
    newest.unlink()
    (commits / f".{newest.name}.crc").unlink(missing_ok=True)


def _number(file: Path) -> int:
    return int(file.name)
