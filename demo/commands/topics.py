"""`nest topics`: create the topics and verify every setting that the guarantees depend on."""

from kafka import TopicPartition
from kafka.errors import KafkaError

from contract.connections import open_admin, open_consumer, partitions_of
from contract.errors import UserError
from contract.topics import NEST_LOGS, create_topics, set_guards, topic_differences


def ensure_topics(bootstrap_servers: str) -> list[str]:
    """Create the topics that are missing, set missing guards, verify all, return the new names.

    Raises UserError naming every setting that differs, or what the broker refused.
    """
    with open_admin(bootstrap_servers) as admin:
        try:
            created = create_topics(admin)
            differences = set_guards(admin, topic_differences(admin))
        except KafkaError as error:
            raise UserError(f"The broker at {bootstrap_servers} refused: {error}") from None
    if differences:
        lines = "\n".join(f"  {difference}" for difference in differences)
        raise UserError(
            f"These topics do not have the settings that the demo needs:\n{lines}\n"
            "Change the setting on the broker, or delete the topic and run `nest topics` again."
        )
    return created


def delete_up_to(bootstrap_servers: str, position: str) -> int:
    """Delete the records of nest-logs up to ``partition:offset`` (included); return how many.

    It is the way past a record that Spark cannot read. Raises UserError if there is no such record.
    """
    try:
        partition, offset = (int(number) for number in position.split(":"))
    except ValueError:
        raise UserError(f"{position!r} is no position: write partition:offset, as 2:17.") from None
    tp = TopicPartition(NEST_LOGS.name, partition)
    with open_consumer(bootstrap_servers) as consumer:
        if tp not in partitions_of(consumer, NEST_LOGS.name):
            raise UserError(f"{NEST_LOGS.name} has no partition {partition}.")
        first, end = consumer.beginning_offsets([tp])[tp], consumer.end_offsets([tp])[tp]
    if not first <= offset < end:
        raise UserError(
            f"Partition {partition} of {NEST_LOGS.name} has the offsets {first} to {end - 1}, and "
            f"not {offset}. Nothing was deleted."
        )
    with open_admin(bootstrap_servers) as admin:
        admin.delete_records({tp: offset + 1})
    return int(offset + 1 - first)
