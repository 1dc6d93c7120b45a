"""Whether ``stats`` would replace counts by lower ones, since messages are gone from nest-logs."""

import json
from collections.abc import Mapping

from kafka import KafkaConsumer
from pyspark.sql import SparkSession

from contract.errors import UserError
from contract.kafka.connections import open_consumer, partitions_of
from contract.progress import ProgressLog
from contract.queries import Query
from contract.settings import Settings
from contract.topics import CAMERA_STATS, NEST_LOGS, PIPELINE_PROGRESS
from pipeline.checkpoints.checkpoint import Checkpoint

_LATEST, _EARLIEST = -1, -2
"""What an offset in NEST_STARTING_OFFSETS may be instead of a position."""


def require_no_lower_counts(spark: SparkSession, settings: Settings) -> None:
    """Raise UserError if messages were counted that neither the checkpoint nor the query can see.

    The newest progress says what was counted. A checkpoint that is gone, another one or an older
    copy knows less of it; where the rest is still in nest-logs it is read again, and the counts
    become the same. Where it is not, lower counts would replace right ones.
    """
    checkpoint = Checkpoint(spark, settings, Query.STATS)
    known = checkpoint.committed_offsets() if checkpoint.has_begun() else {}
    log = ProgressLog()
    with open_consumer(settings.kafka) as consumer:
        first = first_offsets(consumer, "earliest" if known else settings.starting_offsets)
        if all(offset <= known.get(partition, 0) for partition, offset in first.items()):
            return  # what the checkpoint does not know is all read
        if PIPELINE_PROGRESS.name not in consumer.topics():
            return  # nothing says that anything was counted
        log.refresh(consumer)
    stats = log.latest.get(Query.STATS)
    unseen = count_unseen(stats.end_offsets if stats else {}, known, first)
    if unseen:
        raise UserError(
            f"The query {Query.STATS} has counted {unseen:,} messages that its checkpoint "
            f"{checkpoint.uri} does not know and that it would not read "
            f"again, for example because the retention of {NEST_LOGS.name} has deleted them. Lower "
            f"counts would replace the right ones in {CAMERA_STATS.name}. Set NEST_CHECKPOINTS "
            "and NEST_BOOTSTRAP_SERVERS right, or put the newest copy of the checkpoint back. If "
            f"there is none, `nest repair {Query.STATS}` deletes the counts and has the rest "
            "counted; it first says how much is gone."
        )


def count_unseen(
    counted: Mapping[int, int], known: Mapping[int, int], first: Mapping[int, int]
) -> int:
    """Return how many messages were counted that are not known and lie before the first one read.

    ``counted`` and ``known`` are the offsets by partition up to which (not including) they are.
    """
    return sum(
        max(0, min(end, first.get(partition, 0)) - known.get(partition, 0))
        for partition, end in counted.items()
    )


def first_offsets(consumer: KafkaConsumer, starting: str) -> dict[int, int]:
    """Return by partition of nest-logs the offset of the first message that a query reads.

    ``starting`` is written as NEST_STARTING_OFFSETS.
    """
    partitions = partitions_of(consumer, NEST_LOGS.name)
    beginnings = consumer.beginning_offsets(partitions)
    ends = consumer.end_offsets(partitions)
    if starting == "earliest":
        named = {}
    elif starting == "latest":
        named = {str(tp.partition): _LATEST for tp in partitions}
    else:
        named = json.loads(starting).get(NEST_LOGS.name, {})
    found = {}
    for tp in partitions:
        offset = named.get(str(tp.partition), _EARLIEST)
        found[tp.partition] = ends[tp] if offset == _LATEST else max(beginnings[tp], offset)
    return found
