"""`nest topics`: create the topics and verify every setting that the guarantees depend on."""

from collections.abc import Callable
from contextlib import suppress

import typer
from kafka import KafkaAdminClient, TopicPartition
from kafka.errors import KafkaError, UnknownTopicOrPartitionError

from contract.errors import UserError
from contract.kafka.cluster import Kafka, as_cluster
from contract.kafka.connections import open_admin, open_consumer, partitions_of
from contract.kafka.refusals import explained_refusals
from contract.kafka.rights import require_rights
from contract.polling import poll_until
from contract.progress import ProgressLog
from contract.queries import ARCHIVE, STATS
from contract.topics import (
    NEST_LOGS,
    TOPICS,
    Difference,
    Topic,
    create_topics,
    set_added_settings,
    topic_differences,
)

_KNOWN_WITHIN_S = 30.0
"""How long brokers may take to hear of a topic that another one has created."""


def ensure_topics(kafka: Kafka, topics: tuple[Topic, ...] = TOPICS) -> list[str]:
    """Create the topics that are missing, set missing guards, verify all, return the new names.

    Raises UserError naming every setting that differs, or what the broker refused.
    """
    with open_admin(kafka) as admin:
        try:
            with explained_refusals(kafka, "Create", "the topics"):
                created = create_topics(admin, topics)
            require_rights(kafka, {topic.name: ("DescribeConfigs",) for topic in topics})
            with explained_refusals(kafka, "AlterConfigs of", "the topics"):
                found = _differences_once_known(admin, topics)
                differences = set_added_settings(admin, found)
        except KafkaError as error:
            servers = as_cluster(kafka).bootstrap_servers
            raise UserError(f"The broker at {servers} refused: {error}") from None
    if differences:
        lines = "\n".join(f"  {difference}" for difference in differences)
        raise UserError(
            f"These topics do not have the settings that the demo needs:\n{lines}\n"
            "Change the setting on the broker, or delete the topic and run `nest topics` again. "
            "NEST_PARTITIONS, NEST_REPLICATION_FACTOR and NEST_MIN_INSYNC_REPLICAS say what is "
            "wanted."
        )
    return created


def _differences_once_known(admin: KafkaAdminClient, topics: tuple[Topic, ...]) -> list[Difference]:
    """Return what differs once the brokers that answer know the topics, or have had their time.

    Of several brokers one may not have heard yet of a topic that another has just created.
    """
    found: list[Difference] = []

    def all_are_known() -> bool:
        try:
            found[:] = topic_differences(admin, topics)
        except UnknownTopicOrPartitionError:
            return False
        return not any(each.is_missing_topic for each in found)

    with suppress(TimeoutError):
        poll_until(all_are_known, "the topics", _KNOWN_WITHIN_S)
    return found


def delete_up_to(kafka: Kafka, position: str, confirm: Callable[[str], bool]) -> int:
    """Delete the records of nest-logs up to ``partition:offset`` (included); return how many.

    It is the way past a record that Spark cannot read. Nothing is deleted before ``confirm`` has
    said yes. Raises UserError if there is no such record.
    """
    try:
        partition, offset = (int(number) for number in position.split(":"))
    except ValueError:
        raise UserError(
            f"{position!r} is not a position: write partition:offset, as 2:17."
        ) from None
    tp = TopicPartition(NEST_LOGS.name, partition)
    with open_consumer(kafka) as consumer:
        if tp not in partitions_of(consumer, NEST_LOGS.name):
            raise UserError(f"{NEST_LOGS.name} has no partition {partition}.")
        first, end = consumer.beginning_offsets([tp])[tp], consumer.end_offsets([tp])[tp]
    if not first <= offset < end:
        raise UserError(
            f"Partition {partition} of {NEST_LOGS.name} has the offsets {first} to {end - 1}, and "
            f"not {offset}. Nothing was deleted."
        )
    require_rights(kafka, {NEST_LOGS.name: ("Delete",)})
    count = int(offset + 1 - first)
    left = " and ".join(
        f"{query} {max(0, offset + 1 - max(first, committed)):,}"
        for query, committed in _committed(kafka, partition).items()
    )
    if not confirm(
        f"Delete {count:,} records of {NEST_LOGS.name}, up to {position}? Not committed of them: "
        f"{left}."
    ):
        raise typer.Exit(1)
    with open_admin(kafka) as admin:
        admin.delete_records({tp: offset + 1})
    return count


def _committed(kafka: Kafka, partition: int) -> dict[str, int]:
    """Return the offset up to which stats and archive have each committed a partition."""
    progress = ProgressLog()
    with open_consumer(kafka) as consumer:
        progress.refresh(consumer)
    return {
        query: progress.committed_offsets(query).get(partition, 0) for query in (STATS, ARCHIVE)
    }
