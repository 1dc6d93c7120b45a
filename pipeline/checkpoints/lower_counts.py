"""Whether ``stats`` would replace counts by lower ones, since messages are gone from nest-logs."""

from collections.abc import Mapping

from pyspark.sql import SparkSession

from contract.errors import UserError
from contract.kafka.connections import open_consumer
from contract.progress import ProgressLog
from contract.quantities import format_quantity
from contract.queries import Query
from contract.settings import Settings
from contract.topics import CAMERA_STATS, NEST_LOGS, PIPELINE_PROGRESS
from pipeline.checkpoints.checkpoint import Checkpoint
from pipeline.checkpoints.starting_offsets import first_offsets


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
            f"The query {Query.STATS} has counted {format_quantity(unseen, 'message')} that its "
            f"checkpoint {checkpoint.uri} does not know and that it would not read again: the "
            f"retention of {NEST_LOGS.name} has deleted them, or they are before "
            "NEST_STARTING_OFFSETS. Lower counts would replace the right ones in "
            f"{CAMERA_STATS.name}. Set NEST_CHECKPOINTS, NEST_BOOTSTRAP_SERVERS and "
            "NEST_STARTING_OFFSETS right, or put the newest copy of the checkpoint back. If there "
            f"is none, `nest repair {Query.STATS}` deletes the counts and has the rest counted; it "
            "first says how much is gone."
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
