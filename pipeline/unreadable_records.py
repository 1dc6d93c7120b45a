"""The one kind of record that no query can go on over: stamped beyond what Spark can hold."""

from collections.abc import Mapping

from kafka import TopicPartition
from kafka.consumer.fetcher import ConsumerRecord
from pyspark.sql import SparkSession

from contract.bounded_read import read_range
from contract.connections import open_consumer, partitions_of
from contract.settings import Settings
from contract.topics import NEST_LOGS
from pipeline.checkpoints import committed_offsets

_OVERFLOW = "long overflow"
"""What Spark says when a timestamp in microseconds does not fit into 64 bits."""


def lasting_failure(spark: SparkSession, settings: Settings, query: str, reason: str) -> str | None:
    """Say why a query cannot go on, and what to do; None if a restart may help."""
    if _OVERFLOW not in reason.lower():
        return None
    record = find_unreadable(settings, committed_offsets(spark, settings, query))
    if record is None:
        return None
    return (
        f"The query {query} cannot go on: the record in partition {record.partition}, offset "
        f"{record.offset} of {NEST_LOGS.name} has the timestamp {record.timestamp} (milliseconds "
        "since 1970), which Spark cannot hold. Nothing is lost. To go on, run `nest topics "
        f"--delete-up-to {record.partition}:{record.offset}`, and start with "
        "NEST_FAIL_ON_DATA_LOSS=false: what of that partition was not archived yet is left out up "
        "to there. `nest topics` makes the broker refuse such records from now on."
    )


def find_unreadable(settings: Settings, start: Mapping[int, int]) -> ConsumerRecord | None:
    """Return a record that Spark cannot read, from offsets by partition on; None without one."""
    with open_consumer(settings.bootstrap_servers) as consumer:
        partitions = partitions_of(consumer, NEST_LOGS.name)
        first, end = consumer.beginning_offsets(partitions), consumer.end_offsets(partitions)
        for partition in partitions:
            since: dict[TopicPartition, int] = {
                partition: max(first[partition], start.get(partition.partition, 0))
            }
            for record in read_range(consumer, since, {partition: end[partition]}):
                if not -(2**63) <= record.timestamp * 1000 < 2**63:
                    return record
    return None
