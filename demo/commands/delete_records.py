"""`nest topics --delete-up-to`: delete records of nest-logs that Spark cannot read."""

from collections.abc import Callable

from kafka import TopicPartition

from contract.errors import UserError
from contract.kafka.cluster import Kafka
from contract.kafka.connections import ends_by_partition, open_admin, open_consumer, partitions_of
from contract.kafka.rights import require_rights
from contract.progress import ProgressLog
from contract.quantities import format_quantity
from contract.queries import BATCHED_FROM_NEST_LOGS, Query
from contract.topics import NEST_LOGS


def delete_records_up_to(kafka: Kafka, position: str, confirm: Callable[[str], None]) -> int:
    """Delete the records of nest-logs up to ``partition:offset`` (included); return how many.

    It is the way past a record that Spark cannot read. Nothing is deleted if ``confirm``
    ends the command. Raises UserError if there is no such record.
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
    confirm(
        f"Delete {format_quantity(count, 'record')} of {NEST_LOGS.name}, up to {position}? "
        f"Not committed of them: {left}."
    )
    with open_admin(kafka) as admin:
        admin.delete_records({tp: offset + 1})
    return count


def _committed(kafka: Kafka, partition: int) -> dict[Query, int]:
    """Return the offset up to which stats and archive have each committed a partition."""
    progress = ProgressLog()
    with open_consumer(kafka) as consumer:
        progress.refresh(consumer)
        ends = ends_by_partition(consumer, NEST_LOGS.name)
    return {
        query: progress.committed_offsets(query, ends).get(partition, 0)
        for query in BATCHED_FROM_NEST_LOGS
    }
