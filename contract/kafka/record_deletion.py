"""Delete the records of a topic that is there to stay."""

from contract.kafka.cluster import Kafka
from contract.kafka.connections import open_admin, open_consumer, partitions_of
from contract.topics import Topic


def delete_all_records(kafka: Kafka, topic: Topic) -> None:
    """Delete all records that the topic has now; those that come later keep their offsets."""
    with open_consumer(kafka) as consumer:
        ends = consumer.end_offsets(partitions_of(consumer, topic.name))
    with open_admin(kafka) as admin:
        admin.delete_records(ends)
