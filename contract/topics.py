"""The Kafka topics by name, with every setting that the guarantees rest on."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from kafka import KafkaAdminClient
from kafka.admin import ConfigResource, ConfigResourceType, NewTopic
from kafka.errors import TopicAlreadyExistsError


@dataclass(frozen=True)
class Topic:
    """A topic as it has to be: its name, number of partitions and configuration."""

    name: str
    partitions: int
    config: Mapping[str, str] = field(default_factory=dict)


NEST_LOGS = Topic(
    "nest-logs",
    4,
    {
        "cleanup.policy": "delete",
        # The demo keeps every message, so that the check can recount them all. In production:
        # a retention longer than the longest outage that the pipeline has to survive.
        "retention.ms": "-1",
        # A record stamped further ahead than the allowed clock skew is refused by the broker.
        "message.timestamp.after.max.ms": "300000",
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
CAMERA_ALERTS = Topic("nest-camera-alerts", 1, {"cleanup.policy": "delete"})
PIPELINE_PROGRESS = Topic(
    "nest-pipeline-progress",
    1,
    {
        "cleanup.policy": "compact",
        # A record a second and query: only closed segments are cleaned, so they close soon.
        "segment.ms": "600000",
        "min.cleanable.dirty.ratio": "0.01",
        "max.compaction.lag.ms": "600000",
    },
)

TOPICS = (NEST_LOGS, CAMERA_STATS, CAMERA_ALERTS, PIPELINE_PROGRESS)


@dataclass(frozen=True)
class Difference:
    """A topic's setting that is not as it has to be."""

    topic: str
    setting: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.topic}: {self.setting} is {self.found}, should be {self.expected}"


def create_topics(admin: KafkaAdminClient, topics: tuple[Topic, ...] = TOPICS) -> list[str]:
    """Create the topics that do not exist yet and return their names."""
    existing = set(admin.list_topics())
    missing = [topic for topic in topics if topic.name not in existing]
    for topic in missing:
        # Replicated as the broker's default says: once in the demo. In production: three times.
        new = NewTopic(topic.name, topic.partitions, -1, topic_configs=dict(topic.config))
        with suppress(TopicAlreadyExistsError):  # somebody was faster; verifying is the next step
            admin.create_topics([new], wait_for_metadata=True)
    return [topic.name for topic in missing]


def topic_differences(
    admin: KafkaAdminClient, topics: tuple[Topic, ...] = TOPICS
) -> list[Difference]:
    """Compare the broker's topics with what they have to be, setting by setting."""
    existing = set(admin.list_topics())
    differences = []
    for topic in topics:
        if topic.name not in existing:
            differences.append(Difference(topic.name, "topic", "there", "missing"))
            continue
        found = _described(admin, topic)
        for setting, expected in {"partitions": str(topic.partitions), **topic.config}.items():
            if found.get(setting) != expected:
                differences.append(
                    Difference(topic.name, setting, expected, found.get(setting, "unknown"))
                )
    return differences


def _described(admin: KafkaAdminClient, topic: Topic) -> dict[str, str]:
    """Read a topic's number of partitions and configuration from the broker."""
    (description,) = admin.describe_topics([topic.name])
    resource = ConfigResource(ConfigResourceType.TOPIC, topic.name)
    entries = admin.describe_configs([resource], config_filter="all")["topic"][topic.name]
    return {
        "partitions": str(len(description["partitions"])),
        **{name: entry["value"] for name, entry in entries.items()},
    }
