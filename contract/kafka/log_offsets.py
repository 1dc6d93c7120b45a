"""How far nest-logs has come, and how far a query in it."""

from collections.abc import Mapping

from kafka import KafkaAdminClient, TopicPartition
from kafka.admin import OffsetSpec

from contract.kafka.cluster import Kafka
from contract.kafka.connections import ask_admin, describe_topic
from contract.topics import NEST_LOGS


def end_offsets(kafka: Kafka) -> dict[int, int]:
    """Return the end of nest-logs by partition."""
    found = _offsets(kafka, OffsetSpec.LATEST)
    return {number: offset for number, (offset, _) in found.items()}


def newest_timestamp(kafka: Kafka) -> int | None:
    """Return the newest timestamp in nest-logs, in ms since 1970; None while it is empty."""
    found = _offsets(kafka, OffsetSpec.MAX_TIMESTAMP)
    newest = max(timestamp for _, timestamp in found.values())
    return newest if newest >= 0 else None


def has_reached(committed: Mapping[int, int], ends: Mapping[int, int]) -> bool:
    """Tell whether a query's committed offsets have reached these ends."""
    return all(committed.get(number, 0) >= end for number, end in ends.items())


def committed_in_topic(committed: Mapping[int, int], ends: Mapping[int, int]) -> dict[int, int]:
    """Return the committed offsets; none if one lies beyond its end.

    Such an offset is of an earlier topic of this name, so nothing of this one is committed. Read
    what is committed first, and then the ends. A new topic that is as long is not noticed.
    """
    is_of_earlier = any(offset > ends.get(number, 0) for number, offset in committed.items())
    return {} if is_of_earlier else dict(committed)


def lag_by_partition(committed: Mapping[int, int], ends: Mapping[int, int]) -> dict[int, int]:
    """Return how many records of each partition a query has not committed yet.

    What is committed has to be read before the ends, as ``committed_in_topic`` says.
    """
    committed = committed_in_topic(committed, ends)
    return {number: end - committed.get(number, 0) for number, end in ends.items()}


def _offsets(kafka: Kafka, spec: OffsetSpec) -> dict[int, tuple[int, int]]:
    """Return (offset, timestamp in ms) by partition of nest-logs."""
    found = ask_admin(
        kafka, lambda admin: admin.list_partition_offsets(dict.fromkeys(_partitions(admin), spec))
    )
    return {tp.partition: (each.offset, each.timestamp) for tp, each in found.items()}


def _partitions(admin: KafkaAdminClient) -> list[TopicPartition]:
    topic = describe_topic(admin, NEST_LOGS.name)
    return [TopicPartition(NEST_LOGS.name, each["partition_index"]) for each in topic["partitions"]]
