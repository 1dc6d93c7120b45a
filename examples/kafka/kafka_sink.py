"""Spark as a Kafka producer: one topic for all rows or one for each, and rows without a key.

You should see rows in the topic that the option names and rows in the topics of their own column;
which partitions they land in with a key and without; and three things that are refused.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from examples.playground import Playground

ROWS = ("A5",)


@dataclass(frozen=True)
class Observed:
    """What the topics hold afterwards, and why the rest was refused."""

    sent: int
    rows_by_option: int
    partitions_of_one_key: int
    rows_by_column: dict[str, int]
    keys_without_a_key_column: list[bytes | None]
    partitions_of_one_home_without_key: int
    compacted: list[str]
    no_topic: str
    null_topic: str


def run(playground: Playground) -> Observed:
    """Read messages as a stream and write their keys and sizes to other topics."""
    source = playground.topic("source", 4)
    playground.send(source, playground.messages(40))
    records = (
        playground.read_stream().option("subscribe", source).option("startingOffsets", "earliest")
    ).load()
    sizes = records.select("key", F.octet_length("value").cast("string").alias("value"))

    def write(rows: DataFrame, checkpoint: str, **options: str) -> None:
        writer = playground.to_kafka(rows.writeStream, checkpoint).options(**options)
        playground.run_to_end(writer)

    by_option = playground.topic("by-option", 4)
    write(sizes, "by-option", topic=by_option)
    keyed = playground.records(by_option)
    of_a_key = most_partitions((r.key, r.partition) for r in keyed)

    small, large = playground.topic("small"), playground.topic("large")
    own_topic = F.when(F.col("value").cast("int") < 4_000, small).otherwise(large).alias("topic")
    write(sizes.select("*", own_topic), "by-column")

    without_key = playground.topic("without-key", 4)
    write(records.select("value"), "without-key", topic=without_key)
    home_of = {r.value: r.key for r in playground.records(source)}
    unkeyed = playground.records(without_key)
    of_a_home = most_partitions((home_of[r.value], r.partition) for r in unkeyed)

    compacted = playground.topic("compacted", config={"cleanup.policy": "compact"})
    refused = [
        playground.refusal(lambda: write(sizes.select("value"), "compacted", topic=compacted))
        for _ in range(2)  # the second start tries the same batch again
    ]
    observed = Observed(
        sent=40,
        rows_by_option=len(keyed),
        partitions_of_one_key=of_a_key,
        rows_by_column={
            "small": len(playground.records(small)),
            "large": len(playground.records(large)),
        },
        keys_without_a_key_column=list({r.key for r in unkeyed}),
        partitions_of_one_home_without_key=of_a_home,
        compacted=refused,
        no_topic=playground.refusal(lambda: write(sizes, "no-topic")),
        null_topic=playground.refusal(
            lambda: write(sizes.select("*", F.lit(None).cast("string").alias("topic")), "null")
        ),
    )
    playground.say(
        f"By option: {observed.rows_by_option} rows, each key in "
        f"{observed.partitions_of_one_key} partition."
    )
    playground.say(f"By the column topic: {observed.rows_by_column}")
    playground.say(
        "Without a column key the key is null: some 16 kB of rows go to one partition, the next "
        f"ones to another. A home is in {of_a_home} partitions, so the order of its rows is lost."
    )
    playground.say(
        f"Null keys into a compacted topic: {observed.compacted[0]}. Nothing could ever be "
        "cleaned, so the broker refuses. The query tries the same batch again at each start."
    )
    playground.say(f"Neither option nor column: {observed.no_topic}")
    playground.say(f"A null in the column: {observed.null_topic}")
    return observed


def most_partitions(records: Iterable[tuple[bytes | None, int]]) -> int:
    """Return in how many partitions that key or home is which is in most, given (it, partition)."""
    found = defaultdict(set)
    for whose, partition in records:
        found[whose].add(partition)
    return max(map(len, found.values()))
