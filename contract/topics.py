"""The Kafka topics by name, with every setting that the guarantees rest on."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from kafka import KafkaAdminClient
from kafka.admin import ConfigResource, ConfigResourceType, NewTopic
from kafka.errors import TopicAlreadyExistsError

from contract.errors import UserError
from contract.settings import Settings


@dataclass(frozen=True)
class Topic:
    """A topic as it has to be: its name, partitions, configuration and replicas.

    By default the brokers say how many replicas: one in the demo. In production: three.
    """

    name: str
    partitions: int
    config: Mapping[str, str] = field(default_factory=dict)
    replicas: int | None = None


LARGEST_DERIVED_RECORD = 8 << 20
"""Bytes that a record made of one message may have.

Kafka takes messages of 1 MB, and such a record holds a device_id up to five times."""

NEST_LOGS = Topic(
    "nest-logs",
    4,
    {
        "cleanup.policy": "delete",
        # The demo keeps every message, so that the check can recount them all. In production:
        # a retention longer than the longest outage that the pipeline has to survive.
        "retention.ms": "-1",
        # The broker refuses a record that is stamped further ahead than the allowed clock skew, or
        # more than 50 years ago: such a timestamp may be beyond what Spark can hold.
        "message.timestamp.after.max.ms": "300000",
        "message.timestamp.before.max.ms": "1577880000000",
    },
)
CAMERA_STATS = Topic(
    "nest-camera-stats",
    # One partition keeps one order for all keys. In production: more, since the key decides.
    1,
    {
        "cleanup.policy": "compact",
        "segment.ms": "600000",
        "min.cleanable.dirty.ratio": "0.01",
        "max.compaction.lag.ms": "600000",
    },
)
CAMERA_ALERTS = Topic(
    "nest-camera-alerts",
    1,
    {"cleanup.policy": "delete", "max.message.bytes": str(LARGEST_DERIVED_RECORD)},
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
)
PIPELINE_PROGRESS = Topic(
    "nest-pipeline-progress",
    1,
    {
        "cleanup.policy": "compact",
        # A record a second and query: only closed segments are cleaned, so they close soon.
        "segment.ms": "600000",
        "min.cleanable.dirty.ratio": "0.01",
        "max.compaction.lag.ms": "600000",
        # The dashboard draws the last ten minutes from the older records.
        "min.compaction.lag.ms": "600000",
    },
)

GUARDS = ("message.timestamp.after.max.ms", "message.timestamp.before.max.ms")
"""Settings by which the broker refuses records that no reader could use."""
_ADDED = (*GUARDS, "min.compaction.lag.ms", "max.message.bytes")
"""Settings that a topic lacks which an older version has created."""

_REPLICAS, _THERE = "replication factor", "topic"

TOPICS = (NEST_LOGS, CAMERA_STATS, CAMERA_ALERTS, SIGHTINGS, PIPELINE_PROGRESS)
"""The topics as the default settings want them."""


def wanted_topics(settings: Settings) -> tuple[Topic, ...]:
    """Return the topics with the partitions and replicas that the settings ask for."""
    in_sync = settings.min_insync_replicas
    added = {} if in_sync is None else {"min.insync.replicas": str(in_sync)}
    return tuple(
        replace(
            topic,
            partitions=settings.partitions if topic is NEST_LOGS else topic.partitions,
            config={**topic.config, **added},
            replicas=settings.replication_factor,
        )
        for topic in TOPICS
    )


@dataclass(frozen=True)
class Difference:
    """A topic's setting that is not as it has to be.

    ``is_default`` says that nobody has set it: the topic takes the broker's default.
    """

    topic: str
    setting: str
    expected: str
    found: str
    is_default: bool = False

    @property
    def is_missing_topic(self) -> bool:
        """Tell whether the topic itself is missing."""
        return self.setting == _THERE

    def __str__(self) -> str:
        return f"{self.topic}: {self.setting} is {self.found}, should be {self.expected}"


def create_topics(admin: KafkaAdminClient, topics: tuple[Topic, ...] = TOPICS) -> list[str]:
    """Create the topics that do not exist yet and return their names.

    Raises UserError if there are fewer brokers than replicas are asked for.
    """
    existing = set(admin.list_topics())
    missing = [topic for topic in topics if topic.name not in existing]
    _require_brokers(admin, max((topic.replicas or 0 for topic in missing), default=0))
    for topic in missing:
        new = NewTopic(
            topic.name, topic.partitions, topic.replicas or -1, topic_configs=topic.config
        )
        with suppress(TopicAlreadyExistsError):  # somebody was faster; verifying is the next step
            admin.create_topics([new], wait_for_metadata=True)
    return [topic.name for topic in missing]


def set_added_settings(
    admin: KafkaAdminClient, differences: Iterable[Difference]
) -> list[Difference]:
    """Set what an older version did not set on its topics, and return the differences left.

    These settings change no record that is there, and one that somebody has set is left as it is;
    any other setting is left to whoever owns the topic.
    """
    left = []
    for each in differences:
        if each.is_default and each.setting in _ADDED:
            configs = {each.setting: each.expected}
            admin.alter_configs(
                [ConfigResource(ConfigResourceType.TOPIC, each.topic, configs=configs)]
            )
        else:
            left.append(each)
    return left


def _require_brokers(admin: KafkaAdminClient, factor: int) -> None:
    if not factor:
        return
    brokers = len(admin.describe_cluster()["brokers"])
    if factor > brokers:
        raise UserError(
            f"NEST_REPLICATION_FACTOR={factor} is more than the {brokers} "
            f"broker{'s' if brokers > 1 else ''} that this Kafka has now. Start more brokers, or "
            "set it lower."
        )


def topic_differences(
    admin: KafkaAdminClient, topics: tuple[Topic, ...] = TOPICS
) -> list[Difference]:
    """Compare the broker's topics with what they have to be, setting by setting."""
    existing = set(admin.list_topics())
    differences = []
    for topic in topics:
        if topic.name not in existing:
            differences.append(Difference(topic.name, _THERE, "there", "missing"))
            continue
        found = _described(admin, topic)
        wanted = {"partitions": str(topic.partitions), **topic.config}
        if topic.replicas:
            wanted[_REPLICAS] = str(topic.replicas)
        for setting, expected in wanted.items():
            value, is_default = found.get(setting, ("unknown", False))
            if value != expected:
                differences.append(Difference(topic.name, setting, expected, value, is_default))
    return differences


def _described(admin: KafkaAdminClient, topic: Topic) -> dict[str, tuple[str, bool]]:
    """Read a topic's number of partitions and settings, each with whether it is a default."""
    (description,) = admin.describe_topics([topic.name])
    resource = ConfigResource(ConfigResourceType.TOPIC, topic.name)
    entries = admin.describe_configs([resource], config_filter="all")["topic"][topic.name]
    return {
        "partitions": (str(len(description["partitions"])), False),
        _REPLICAS: (_replicas(description["partitions"]), False),
        **{
            name: (entry["value"], entry["config_source"] != "DYNAMIC_TOPIC_CONFIG")
            for name, entry in entries.items()
        },
    }


def _replicas(partitions: Iterable[Mapping[str, Any]]) -> str:
    """Return on how many brokers the partitions are; the smallest number where they differ."""
    return str(min(len(partition["replica_nodes"]) for partition in partitions))
