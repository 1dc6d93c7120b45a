"""What a Kafka user may do with topics, asked before anything begins."""

from collections.abc import Iterable, Mapping

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
    described = ask_admin(cluster, lambda admin: admin.describe_topics(list(needed)))
    topics = {each["name"]: each for each in described}
    for name, operations in needed.items():
        topic = topics.get(name)
        if topic is None or topic["error_code"]:
            raise no_topic(name, cluster.principal)
        told = {each.replace("_", "").lower() for each in topic.get("authorized_operations") or ()}
        for operation in operations:
            if told and operation.lower() not in told:
                raise not_allowed(cluster.principal, operation, f"the topic {name}")
