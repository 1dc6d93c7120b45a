"""The Kafka users of the demo, one for each part, and the rights that suffice for each.

Everything that is not listed is denied. Read and Write include Describe.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from contract.topics import (
    CAMERA_ALERTS,
    CAMERA_STATS,
    NEST_LOGS,
    PIPELINE_PROGRESS,
    SIGHTINGS,
    TOPICS,
)

PRODUCER = "producer"
PIPELINE = "pipeline"
DASHBOARD = "dashboard"
OPERATOR = "operator"
"""Who types commands: makes topics, runs the report and the check, sends events, runs drills."""

KAFKA_USERS = (PRODUCER, PIPELINE, DASHBOARD, OPERATOR)

SPARK_GROUPS = "spark-kafka"
"""What the names of the consumer groups begin with that Spark makes for its queries."""


class Right(NamedTuple):
    """What a user may do with a topic or group, or with all whose names begin so."""

    kind: Literal["topic", "group"]
    name: str
    operations: tuple[str, ...]
    is_prefix: bool = False


_READ, _WRITE = ("Read",), ("Write",)
_SPARK = Right("group", SPARK_GROUPS, _READ, is_prefix=True)

RIGHTS: Mapping[str, tuple[Right, ...]] = {
    PRODUCER: (Right("topic", NEST_LOGS.name, ("Write", "Describe")),),
    PIPELINE: (
        Right("topic", NEST_LOGS.name, _READ),
        Right("topic", SIGHTINGS.name, _WRITE),
        *(
            # It reads its own counts, alerts and progress to go on from them.
            Right("topic", topic.name, _READ + _WRITE)
            for topic in (CAMERA_STATS, CAMERA_ALERTS, PIPELINE_PROGRESS)
        ),
        _SPARK,
    ),
    # The page Proof runs the check, which reads all of them.
    DASHBOARD: tuple(Right("topic", topic.name, _READ) for topic in TOPICS),
    OPERATOR: (
        Right(
            "topic",
            "nest-",
            ("Create", "Delete", "Read", "Write", "Alter", "DescribeConfigs", "AlterConfigs"),
            is_prefix=True,
        ),
        _SPARK,
    ),
}


def topic_operations(principal: str) -> dict[str, tuple[str, ...]]:
    """Return the operations that a part needs, by topic."""
    return {right.name: right.operations for right in RIGHTS[principal] if right.kind == "topic"}
