"""The topics, created where they are missing, with every setting that the guarantees depend on."""

from contextlib import suppress

from kafka import KafkaAdminClient
from kafka.errors import KafkaError

from contract.errors import UserError
from contract.kafka.cluster import Kafka, as_cluster
from contract.kafka.connections import open_admin
from contract.kafka.refusals import explained_topic_refusals
from contract.kafka.rights import require_rights
from contract.polling import poll_until
from contract.topic_admin import Difference, create_topics, set_unset_settings, topic_differences
from contract.topics import TOPICS, Topic

_KNOWN_WITHIN_S = 30.0
"""How long brokers may take to hear of a topic that another one has created."""


def ensure_topics(kafka: Kafka, topics: tuple[Topic, ...] = TOPICS) -> list[str]:
    """Create the topics that are missing, complete and verify all, and return the new names.

    Raises UserError naming every setting that differs, or what the broker refused.
    """
    with open_admin(kafka) as admin:
        try:
            with explained_topic_refusals(kafka, "Create"):
                created = create_topics(admin, topics)
            require_rights(kafka, {topic.name: ("DescribeConfigs",) for topic in topics})
            with explained_topic_refusals(kafka, "AlterConfigs of"):
                found = _differences_once_known(admin, topics)
                differences = set_unset_settings(admin, found)
        except KafkaError as error:
            servers = as_cluster(kafka).bootstrap_servers
            raise UserError(f"The broker at {servers} refused: {error}") from None
    if differences:
        lines = "\n".join(f"  {difference}" for difference in differences)
        raise UserError(
            f"These topics do not have the settings that the demo needs:\n{lines}\n"
            "Change the setting on the broker, or delete the topic and run `nest topics` again. "
            "NEST_PARTITIONS, NEST_REPLICATION_FACTOR and NEST_MIN_INSYNC_REPLICAS say what is "
            "wanted. To a topic that has messages add no partitions: its homes would go on in "
            "others."
        )
    return created


def _differences_once_known(admin: KafkaAdminClient, topics: tuple[Topic, ...]) -> list[Difference]:
    """Return what differs once the brokers that answer know the topics, or have had their time.

    Of several brokers one may not have heard yet of a topic that another has just created.
    """
    found: list[Difference] = []

    def all_are_known() -> bool:
        found[:] = topic_differences(admin, topics)
        return not any(each.is_missing_topic for each in found)

    with suppress(TimeoutError):
        poll_until(all_are_known, "the topics", _KNOWN_WITHIN_S)
    return found
