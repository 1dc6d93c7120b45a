"""Failures of a query that a restart does not mend: what happened, and what a person has to do."""

from collections.abc import Mapping

from kafka import TopicPartition
from kafka.consumer.fetcher import ConsumerRecord
from pyspark.sql import SparkSession

from contract.errors import NoBroker, UserError
from contract.kafka.acls import PIPELINE, topic_operations
from contract.kafka.bounded_read import read_range
from contract.kafka.connections import open_consumer, partitions_of
from contract.kafka.rights import require_rights
from contract.queries import Query
from contract.settings import Settings
from contract.topics import NEST_LOGS
from pipeline.checkpoints.checkpoint import Checkpoint
from pipeline.checkpoints.same_origin import repair_advice
from pipeline.spark.failures import are_records_gone, causes, is_transient, java_trace, root_cause

_OVERFLOW = "long overflow"
"""What Spark says when a timestamp in microseconds does not fit into 64 bits."""
_LOG_IS_GONE = "delta_missing_files_unexpected_version"
_STATE_IS_TORN = (
    "[cannot_load_state_store",  # whatever keeps Spark from loading it: see is_transient
    "error reading delta file",
    "error reading snapshot file",
    "reading streaming state file",
)
_SCHEMA_IS_TORN = ("java.io.eofexception", "stateschemacompatibilitychecker")
"""Spark has no name of its own for it, only a trace."""

_KAFKA_REFUSES = (
    "authorizationexception",
    "not authorized to access",
    "saslauthenticationexception",
    "sslauthenticationexception",
)


def lasting_failure(
    spark: SparkSession, settings: Settings, query: Query, error: Exception
) -> str | None:
    """Say why a query cannot go on, and what to do; None if a restart may help."""
    checkpoint = Checkpoint(spark, settings, query)
    cause, text = root_cause(error), str(error).lower()
    if _OVERFLOW in cause.lower():
        return _unreadable_record(checkpoint)
    if any(sign in text for sign in _KAFKA_REFUSES) and (refused := _refusal(settings)):
        return f"The query {query} cannot go on: {refused}"
    if _LOG_IS_GONE in cause.lower():
        return (
            f"The query {query} cannot go on: {cause}\nThe log of the table that it reads does not "
            f"have the commit any more that it read last. To go on, run {repair_advice(query)}"
        )
    if settings.fail_on_data_loss and any(map(are_records_gone, causes(error))):
        return (
            f"The query {query} cannot go on: {cause}\nRecords that it had not read yet are gone "
            f"from {NEST_LOGS.name}, for example by retention. What it has read is not lost. To go "
            "on without them, set NEST_FAIL_ON_DATA_LOSS=false."
        )
    if query == Query.STATS and _is_state_torn(error):
        return (
            f"The query {query} cannot go on: its state in {checkpoint.uri} cannot be read: "
            f"{cause}\nNothing is lost while the messages are in "
            f"{NEST_LOGS.name}: `nest repair {query}` counts again from the first one."
        )
    return None


def _is_state_torn(error: Exception) -> bool:
    """Tell whether state cannot be read, as opposed to a disk or store that cannot be used now."""
    text = f"{error}\n{java_trace(error)}".lower()
    is_torn = any(sign in text for sign in _STATE_IS_TORN) or all(
        sign in text for sign in _SCHEMA_IS_TORN
    )
    return is_torn and not is_transient(error)


def _refusal(settings: Settings) -> str | None:
    """Say what Kafka does not let the pipeline do; None if it lets it do everything by now."""
    try:
        require_rights(settings.kafka, topic_operations(PIPELINE))
    except NoBroker:  # it is away, which may pass
        return None
    except UserError as error:
        return str(error)
    return None


def _unreadable_record(checkpoint: Checkpoint) -> str | None:
    """Name the one kind of record that no query can go on over: stamped beyond Spark's reach."""
    record = find_unreadable(checkpoint.settings, checkpoint.committed_offsets())
    if record is None:
        return None
    return (
        f"The query {checkpoint.query} cannot go on: the record in partition {record.partition}, "
        f"offset {record.offset} of {NEST_LOGS.name} has the timestamp {record.timestamp} "
        "(milliseconds since 1970), which Spark cannot hold. Nothing is lost. To go on, run `nest "
        f"topics --delete-up-to {record.partition}:{record.offset}`, and start with "
        "NEST_FAIL_ON_DATA_LOSS=false. Messages of that partition up to this offset that are not "
        "archived yet are skipped. `nest topics` makes the broker refuse such records from now on."
    )


def find_unreadable(settings: Settings, start: Mapping[int, int]) -> ConsumerRecord | None:
    """Return a record that Spark cannot read, from offsets by partition on; None without one."""
    with open_consumer(settings.kafka) as consumer:
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
