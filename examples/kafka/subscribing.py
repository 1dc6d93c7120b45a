"""Three ways to name what a query reads: a list of topics, a pattern, or single partitions.

You should see which partitions each of them reads, that a pattern finds a topic that was created
after the query had started, and that only one way can be used at a time.
"""

import json
from dataclasses import dataclass

from examples.playground import Playground, Record

ROWS = ("A3",)


@dataclass(frozen=True)
class Observed:
    """The partitions that were read, as ``topic-partition``, and why two ways at once fail."""

    by_list: list[str]
    by_pattern: list[str]
    by_partition: list[str]
    new_to_the_pattern: list[str]
    two_at_once: str


def run(playground: Playground) -> Observed:
    """Put a message into each partition of two topics and read them by each way."""
    east, west = playground.topic("homes-east", 2), playground.topic("homes-west", 2)
    message = playground.messages(1)[0]

    def fill(topic: str) -> None:
        playground.send(topic, [_into(message, partition) for partition in range(2)])

    def read(checkpoint: str, **options: str) -> list[str]:
        stream = (
            playground.read_stream().options(**options).option("startingOffsets", "earliest").load()
        )
        rows = playground.rows_of(stream, checkpoint)
        return sorted(
            f"{row.topic.removesuffix(playground.suffix)}-{row.partition}" for row in rows
        )

    fill(east)
    fill(west)
    pattern = f"homes-.*{playground.suffix}"
    by_list = read("list", subscribe=f"{east},{west}")
    by_pattern = read("pattern", subscribePattern=pattern)
    by_partition = read("partition", assign=json.dumps({east: [1], west: [0]}))
    fill(playground.topic("homes-north", 2))
    new_to_the_pattern = read("pattern", subscribePattern=pattern)
    two_at_once = playground.refusal(lambda: read("two", subscribe=east, subscribePattern=pattern))

    playground.say(f"subscribe, a list: {by_list}")
    playground.say(f"subscribePattern, a regular expression of Java: {by_pattern}")
    playground.say(f"assign, partitions as JSON: {by_partition}")
    playground.say(
        f"The pattern again after homes-north was created: {new_to_the_pattern}. New topics and "
        "new partitions are read from their beginning, whatever startingOffsets says."
    )
    playground.say(f"Two ways at once: {two_at_once}")
    return Observed(by_list, by_pattern, by_partition, new_to_the_pattern, two_at_once)


def _into(record: Record, partition: int) -> Record:
    return record._replace(partition=partition)
