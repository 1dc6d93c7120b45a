"""The Kafka topics by name, with every setting that the guarantees rest on."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Topic:
    """A topic as it has to be: its name, partitions, configuration and replicas.

    By default the brokers say how many replicas: one in the demo. In production: three.
    ``set_if_unset`` names the settings that an existing topic is given if nobody has set them: they
    change no record. ``set_by_drill`` has values that a drill sets for a while; they are put back
    if it was cut off.
    """

    name: str
    partitions: int
    config: Mapping[str, str] = field(default_factory=dict)
    replicas: int | None = None
    set_if_unset: tuple[str, ...] = ()
    set_by_drill: Mapping[str, str] = field(default_factory=dict)


LARGEST_DERIVED_RECORD = 8 << 20
"""Bytes that a record made of one message may have.

Kafka takes messages of 1 MB, and such a record holds a device_id up to five times."""

GUARDS = ("message.timestamp.after.max.ms", "message.timestamp.before.max.ms")
"""Settings by which the broker refuses records that no reader could use."""

NEST_LOGS = Topic(
    "nest-logs",
    4,
    {
        "cleanup.policy": "delete",
        # The demo keeps every message, so that the check can recount them all. In production:
        # a retention longer than the longest outage that the pipeline has to survive.
        "retention.ms": "-1",
        # A record's timestamp is the moment of the report, which says whether it is late. With
        # LogAppendTime, which some clusters have by default, all of a history would be late.
        "message.timestamp.type": "CreateTime",
        # The broker refuses a record that is stamped further ahead than the default of
        # NEST_CLOCK_SKEW, or more than 50 years ago: such a timestamp may be beyond what Spark can
        # hold.
        "message.timestamp.after.max.ms": "300000",
        "message.timestamp.before.max.ms": "1577880000000",
        # The broker unpacks what a producer has compressed. So every reader can read it, whichever
        # codecs it has, and the limit of 1 MB holds for what a message takes in memory.
        "compression.type": "uncompressed",
    },
    set_if_unset=(*GUARDS, "compression.type", "message.timestamp.type"),
)
CAMERA_STATS = Topic(
    "nest-camera-stats",
    # One partition keeps one order for all keys. In production: more, since the key decides, and
    # from the start: one that is added later gets keys whose older values are elsewhere.
    1,
    {
        "cleanup.policy": "compact",
        "segment.ms": "600000",
        "min.cleanable.dirty.ratio": "0.01",
        "max.compaction.lag.ms": "600000",
    },
    set_by_drill={
        "segment.ms": "1000",
        "min.cleanable.dirty.ratio": "0.0",
        "max.compaction.lag.ms": "1",
    },
)
CAMERA_ALERTS = Topic(
    "nest-camera-alerts",
    1,
    # The alerts query learns from it what was told of a camera. In production: longer than a camera
    # may be offline.
    {
        "cleanup.policy": "delete",
        "retention.ms": "-1",
        "max.message.bytes": str(LARGEST_DERIVED_RECORD),
    },
    set_if_unset=("retention.ms", "max.message.bytes"),
)
SIGHTINGS = Topic(
    "nest-sightings",
    1,
    # The demo keeps them as long as the messages, so that the check can compare all. In production:
    # some hours, for those who act on a sighting at once.
    {
        "cleanup.policy": "delete",
        "retention.ms": "-1",
        "max.message.bytes": str(LARGEST_DERIVED_RECORD),
    },
    set_if_unset=("retention.ms", "max.message.bytes"),
)
PIPELINE_PROGRESS = Topic(
    "nest-pipeline-progress",
    1,
    {
        "cleanup.policy": "compact",
        # Each query writes about one record a second, and only closed segments are compacted, so
        # segments close early.
        "segment.ms": "600000",
        "min.cleanable.dirty.ratio": "0.01",
        "max.compaction.lag.ms": "600000",
        # The dashboard draws the last ten minutes from the older records.
        "min.compaction.lag.ms": "600000",
    },
    set_if_unset=(
        "segment.ms",
        "min.cleanable.dirty.ratio",
        "max.compaction.lag.ms",
        "min.compaction.lag.ms",
    ),
)

TOPICS = (NEST_LOGS, CAMERA_STATS, CAMERA_ALERTS, SIGHTINGS, PIPELINE_PROGRESS)
"""The topics as the default settings want them."""
