"""Where a query begins to read, and why that option matters only once.

You should see three new queries that begin at different offsets of the same topic, and one that is
started again: it goes on from its checkpoint, whatever ``startingOffsets`` says by then.
"""

import json
from dataclasses import dataclass

from pyspark.sql import DataFrame

from examples.playground import Playground

ROWS = ("A1",)


@dataclass(frozen=True)
class Observed:
    """The offsets that each query read, in order."""

    earliest: list[int]
    latest: list[int]
    json: list[int]
    restarted: list[int]


def run(playground: Playground) -> Observed:
    """Send four messages, read them from three starting points, send two more, start again."""
    topic = playground.topic("starting-offsets")
    first, more = playground.messages(6)[:4], playground.messages(6)[4:]
    playground.send(topic, first)

    def read(starting_offsets: str, checkpoint: str) -> list[int]:
        stream = records(playground, topic, starting_offsets)
        return sorted(row.offset for row in playground.rows_of(stream, checkpoint))

    earliest = read("earliest", "earliest")
    latest = read("latest", "latest")
    # -2 stands for earliest and -1 for latest; a partition that is left out is an error.
    from_json = read(json.dumps({topic: {"0": 2}}), "json")

    playground.send(topic, more)
    restarted = read("earliest", "latest")  # the checkpoint of the query that began at latest

    playground.say(
        "The topic held offsets 0 to 3 when the first three queries started, and 0 to 5 when the "
        "last one did. It had begun with latest; earliest has no effect on a query with a "
        "checkpoint."
    )
    observed = Observed(earliest, latest, from_json, restarted)
    playground.show("Offsets read", [vars(observed)])
    return observed


def records(playground: Playground, topic: str, starting_offsets: str) -> DataFrame:
    """Return a topic as a stream that begins where the option says, if it is new."""
    return (
        playground.spark.readStream.format("kafka")
        .option("kafka.bootstrap.servers", playground.bootstrap_servers)
        .option("subscribe", topic)
        .option("startingOffsets", starting_offsets)
        .load()
    )
