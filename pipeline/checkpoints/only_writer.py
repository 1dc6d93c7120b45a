"""Whether another pipeline counts into the same topic: each would undo counts of the other.

The locks are on folders (``single_writer``). A pipeline with other folders is known by the id of
its query, which is in the progress that it publishes.
"""

from contextlib import suppress
from datetime import UTC, datetime

from kafka import KafkaConsumer
from pyspark.sql import SparkSession

from contract.errors import UserError
from contract.kafka.connections import open_consumer
from contract.polling import poll_until
from contract.progress import ProgressLog, QueryProgress
from contract.queries import Query
from contract.settings import Settings
from contract.topics import CAMERA_STATS, PIPELINE_PROGRESS
from pipeline.checkpoints.checkpoint import Checkpoint
from pipeline.checkpoints.same_origin import repair_advice

_REPORTS_WITHIN_S = 30.0
"""A query that runs reports something every ten seconds; one that has died is started again after
sixteen at most."""


def require_only_writer(spark: SparkSession, settings: Settings) -> None:
    """Raise UserError if another pipeline counts now, or was the last to count and is behind.

    A count that the other one has left lower would stay so: only a new sighting writes it again.
    """
    newest = require_no_other_pipeline_running(spark, settings)
    checkpoint = Checkpoint(spark, settings, Query.STATS)
    if newest is None or not checkpoint.has_begun():
        return
    committed = checkpoint.committed_offsets()
    if any(offset > newest.end_offsets.get(number, 0) for number, offset in committed.items()):
        raise UserError(
            f"Another pipeline, with other checkpoints than NEST_CHECKPOINTS={settings.checkpoints}"
            f", has counted into {CAMERA_STATS.name} since this one did, and not as far. It has "
            "left lower counts, which this one would not write again. Let that one go on to the "
            f"end, or run {repair_advice(Query.STATS)}"
        )


def require_no_other_pipeline_running(
    spark: SparkSession, settings: Settings
) -> QueryProgress | None:
    """Raise UserError if another pipeline counts now.

    Returns the newest progress of the counts if another pipeline, which has ended, has left it.
    """
    checkpoint, own_id = Checkpoint(spark, settings, Query.STATS), ""
    with suppress(UserError):  # torn, as the start of the query says, and a repair mends
        own_id = checkpoint.query_id() if checkpoint.has_begun() else ""
    log = ProgressLog()
    with open_consumer(settings.kafka) as consumer:
        if PIPELINE_PROGRESS.name not in consumer.topics():
            return None
        log.refresh(consumer)
        newest = log.latest.get(Query.STATS)
        # "" is of an older version, or of a repair.
        if newest is None or newest.query_id in ("", own_id):
            return None
        if _is_alive(log, consumer):
            raise UserError(
                f"Another pipeline counts into {CAMERA_STATS.name} at {settings.bootstrap_servers} "
                f"now. It has other checkpoints than NEST_CHECKPOINTS={settings.checkpoints}. Each "
                "would replace counts of the other by lower ones, and a repair would delete them. "
                "Stop it, or give this one a Kafka of its own (NEST_BOOTSTRAP_SERVERS)."
            )
    return newest


def _is_alive(log: ProgressLog, consumer: KafkaConsumer) -> bool:
    """Tell whether whoever has published the newest progress of the counts publishes more.

    One that was killed could not say that it has stopped: its silence says so.
    """
    newest, reported_at = log.latest[Query.STATS], log.reported_at[Query.STATS]
    if newest.state == "stopped" or newest.silent_for(reported_at, datetime.now(UTC)):
        return False

    def has_reported() -> bool:
        log.refresh(consumer)
        return log.reported_at[Query.STATS] != reported_at

    with suppress(TimeoutError):
        return poll_until(has_reported, "a report of the other pipeline", _REPORTS_WITHIN_S)
    return False
