"""What a Kafka user may do with topics, asked before anything begins."""

from collections.abc import Iterable, Mapping
from typing import Any

from kafka import KafkaAdminClient
from kafka.errors import UnknownTopicOrPartitionError

from contract.kafka.client_errors import no_topic
from contract.kafka.cluster import Kafka, as_cluster
from contract.kafka.connections import ask_admin
from contract.kafka.refusals import not_allowed


def require_rights(kafka: Kafka, needed: Mapping[str, Iterable[str]]) -> None:
    """Raise UserError naming the first right that this client lacks, by topic and operation.

    A cluster that lets everybody in is not asked. One that does not tell what a client may do
    passes, too: it refuses when it comes to that.
    """
    cluster = as_cluster(kafka)
    if cluster.security_protocol == "PLAINTEXT":
        return
    topics = ask_admin(cluster, lambda admin: _described_by_name(admin, list(needed)))
    for name, operations in needed.items():
        topic = topics.get(name)
        if topic is None or topic["error_code"]:
            raise no_topic(name, cluster.principal)
        told = {each.replace("_", "").lower() for each in topic.get("authorized_operations") or ()}
        for operation in operations:
            if told and operation.lower() not in told:
                raise not_allowed(cluster.principal, operation, f"the topic {name}")


def _described_by_name(admin: KafkaAdminClient, names: list[str]) -> dict[str, dict[str, Any]]:
    """Describe topics; UnknownTopicOrPartitionError if the broker does not know one of them (yet).

    A topic that this client may not see comes with another error_code.
    """
    topics = {each["name"]: each for each in admin.describe_topics(names)}
    unknown = UnknownTopicOrPartitionError.errno
    if missing := [name for name, each in topics.items() if each["error_code"] == unknown]:
        raise UnknownTopicOrPartitionError(missing)
    return topics
