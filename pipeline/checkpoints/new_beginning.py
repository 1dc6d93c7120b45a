"""Have a query begin anew: withdraw its claim of what it has done, and delete its checkpoint."""

from datetime import UTC, datetime

from pyspark.sql import SparkSession

from contract.instants import format_instant
from contract.kafka.sending import send_records
from contract.progress import QueryProgress
from contract.queries import Query
from contract.settings import Settings
from contract.topics import PIPELINE_PROGRESS
from pipeline.checkpoints.origin import delete_checkpoint


def begin_anew(spark: SparkSession, settings: Settings, query: Query) -> None:
    """Make a query's next start a first start; safe to repeat.

    The progress comes first: a kill in between leaves a query that has done more than it says.
    """
    now = format_instant(datetime.now(UTC))
    nothing_done = QueryProgress(query, "stopped", now).encode()
    send_records(settings.kafka, PIPELINE_PROGRESS.name, [nothing_done])
    delete_checkpoint(spark, settings, query)
