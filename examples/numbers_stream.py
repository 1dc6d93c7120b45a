"""A stream of numbers into a table, which can be made to die at the worst moment."""

from collections import Counter
from collections.abc import Callable, Sequence

from pyspark.sql import DataFrame

from examples.playground import Playground, Record

Write = Callable[[DataFrame, int], None]


def send_numbers(playground: Playground, topic: str, first: int, last: int) -> None:
    """Send the numbers ``first`` up to, not including, ``last`` to a topic of two partitions."""
    playground.send(topic, [Record(str(n).encode(), partition=n % 2) for n in range(first, last)])


def write_numbers(
    playground: Playground,
    topic: str,
    write: Write,
    checkpoint: str,
    *,
    per_batch: int = 10,
    dies_in: int | None = None,
) -> None:
    """Stream the numbers of a topic to its end, each batch by ``write(rows, batch_id)``.

    With ``dies_in`` it dies in that batch, once it has written. Rows have one column, number.
    """

    def write_and_die(rows: DataFrame, batch_id: int) -> None:
        write(rows, batch_id)
        if batch_id == dies_in:
            raise RuntimeError("killed after the write, before the commit")

    writer = stream_numbers(playground, topic, per_batch).writeStream.foreachBatch(write_and_die)
    playground.run_to_end(writer.option("checkpointLocation", playground.checkpoint(checkpoint)))


def stream_numbers(playground: Playground, topic: str, per_batch: int = 10) -> DataFrame:
    """Return the numbers of a topic from its beginning as a stream, in the column number."""
    return (
        playground.read_stream()
        .option("subscribe", topic)
        .option("startingOffsets", "earliest")
        .option("maxOffsetsPerTrigger", per_batch)
        .load()
        .selectExpr("CAST(CAST(value AS STRING) AS INT) AS number")
    )


def numbers_in(playground: Playground, table: str) -> list[int]:
    """Return the numbers in a table, in order."""
    rows = playground.spark.read.format("delta").load(playground.table(table)).collect()
    return sorted(row.number for row in rows)


def gaps_and_doubles(found: Sequence[int], end: int) -> tuple[list[int], list[int]]:
    """Return which numbers below ``end`` are missing, and which are there more than once."""
    times = Counter(found)
    return [n for n in range(end) if not times[n]], sorted(n for n in times if times[n] > 1)
