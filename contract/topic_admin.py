"""Create the topics in Kafka, and compare those that are there with what they have to be."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from kafka import KafkaAdminClient
from kafka.admin import ConfigResource, ConfigResourceType, NewTopic
from kafka.errors import (
    NoError,
    TopicAlreadyExistsError,
    UnknownTopicOrPartitionError,
    for_code,
)

from contract.errors import UserError
from contract.kafka.connections import describe_topic
from contract.polling import poll_until
from contract.settings import Settings
from contract.topics import NEST_LOGS, TOPICS, Topic

_DELETED_WITHIN_S = 60
_REPLICAS, _THERE = "replication factor", "topic"


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

    ``may_be_set`` says that nobody has set it, or only a drill, and that it may be set.
    """

    topic: str
    setting: str
    expected: str
    found: str
    may_be_set: bool = False

    @property
    def is_missing_topic(self) -> bool:
        """Tell whether the topic itself is missing."""
        return self.setting == _THERE

    def __str__(self) -> str:
        return f"{self.topic}: {self.setting} is {self.found}, should be {self.expected}"


def create_topics(admin: KafkaAdminClient, topics: tuple[Topic, ...] = TOPICS) -> list[str]:
    """Create the topics that do not exist yet and return their names.

    Raises UserError if there are fewer brokers than replicas are asked for, and KafkaError where
    Kafka refuses one of them.
    """
    existing = set(admin.list_topics())
    missing = [topic for topic in topics if topic.name not in existing]
    _require_brokers(admin, max((topic.replicas or 0 for topic in missing), default=0))
    new = [
        NewTopic(topic.name, topic.partitions, topic.replicas or -1, topic_configs=topic.config)
        for topic in missing
    ]
    answers = admin.create_topics(new, raise_errors=False)["topics"] if new else []
    for answer in answers:
        error = for_code(answer["error_code"])
        # Somebody may have been faster; verifying the topic is the next step.
        if error not in (NoError, TopicAlreadyExistsError):
            raise error(answer["error_message"])
    admin.wait_for_topics([answer["name"] for answer in answers if not answer["error_code"]])
    return [topic.name for topic in missing]


def delete_topics(admin: KafkaAdminClient, names: Iterable[str]) -> None:
    """Delete those of the topics that exist, and return when Kafka lists none of them.

    A broker hears of the end later than it answers: until then it would create none of them again.
    Raises TimeoutError where they stay.
    """
    if existing := set(names) & set(admin.list_topics()):
        admin.delete_topics(sorted(existing))
        poll_until(
            lambda: not existing & set(admin.list_topics()),
            f"the end of {', '.join(sorted(existing))}",
            _DELETED_WITHIN_S,
        )


def set_unset_settings(
    admin: KafkaAdminClient, differences: Iterable[Difference]
) -> list[Difference]:
    """Set what an older version, or somebody else, did not set; return the differences left.

    What a drill that was cut off has set is put back. What somebody has set is left as it is, and
    any other setting to whoever owns the topic.
    """
    left = []
    for each in differences:
        if each.may_be_set:
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
    """Compare the broker's topics with what they have to be, setting by setting.

    A topic that one of the brokers asked has not heard of yet counts as missing.
    """
    existing = set(admin.list_topics())
    differences = []
    for topic in topics:
        found = {}
        if topic.name in existing:
            with suppress(UnknownTopicOrPartitionError):
                found = _described(admin, topic)
        if not found:
            differences.append(Difference(topic.name, _THERE, "there", "missing"))
            continue
        wanted = {"partitions": str(topic.partitions), **topic.config}
        if topic.replicas:
            wanted[_REPLICAS] = str(topic.replicas)
        for setting, expected in wanted.items():
            value, is_default = found.get(setting, ("unknown", False))
            if value != expected:
                is_unset = is_default and setting in topic.set_if_unset
                may_be_set = is_unset or value == topic.set_by_drill.get(setting)
                differences.append(Difference(topic.name, setting, expected, value, may_be_set))
    return differences


def _described(admin: KafkaAdminClient, topic: Topic) -> dict[str, tuple[str, bool]]:
    """Read a topic's number of partitions and settings, each with whether it is a default.

    Raises KafkaError if the broker that answers does not know the topic.
    """
    description = describe_topic(admin, topic.name)
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
