"""Where a query begins to read, and why that option matters only once.

You should see three new queries that begin at different offsets of the same topic, and one that is
started again: it goes on from its checkpoint, whatever ``startingOffsets`` says by then.
"""

import json
from dataclasses import dataclass

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

    def read(starting_offsets: str, checkpoint: str) -> list[int]:
        stream = (
            playground.read_stream()
            .option("subscribe", topic)
            .option("startingOffsets", starting_offsets)
            .load()
        )
        return sorted(row.offset for row in playground.rows_of(stream, checkpoint))

    messages = playground.messages(6)
    playground.send(topic, messages[:4])
    earliest = read("earliest", checkpoint="earliest")
    latest = read("latest", checkpoint="latest")
    # Each partition by number; -2 stands for earliest and -1 for latest.
    from_json = read(json.dumps({topic: {"0": 2}}), checkpoint="json")
    playground.send(topic, messages[4:])
    restarted = read("earliest", checkpoint="latest")

    observed = Observed(earliest, latest, from_json, restarted)
    playground.show("Offsets read", [vars(observed)])
    playground.say(
        "The topic held offsets 0 to 3 when the first three queries started. Then two more came, "
        "and the query that had begun at latest was started again with earliest: it read what is "
        "new, because a query with a checkpoint ignores the option."
    )
    return observed
