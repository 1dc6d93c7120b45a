"""Delete a query's checkpoint, and what it has said that it has done."""

from datetime import UTC, datetime

from pyspark.sql import SparkSession

from contract.checkpoint_sidecars import CheckpointSidecar
from contract.instants import format_instant
from contract.kafka.sending import send_records
from contract.progress import QueryProgress
from contract.queries import Query
from contract.settings import Settings
from contract.topics import PIPELINE_PROGRESS
from pipeline.checkpoints.checkpoint import beside_checkpoint, checkpoint_uri
from pipeline.spark.storage import Storage


def delete_progress_and_checkpoint(spark: SparkSession, settings: Settings, query: Query) -> None:
    """Make a query's next start a first start; safe to repeat.

    The progress comes first: a kill in between leaves a query that has done more than it says.
    """
    now = format_instant(datetime.now(UTC))
    nothing_done = QueryProgress(query, "stopped", now).encode()
    send_records(settings.kafka, PIPELINE_PROGRESS.name, [nothing_done])
    delete_checkpoint(spark, settings, query)


def delete_checkpoint(spark: SparkSession, settings: Settings, query: Query) -> None:
    """Delete a query's checkpoint and what it began with: its next start is a first start.

    First where Spark keeps at which offsets the query began: left alone by a kill in between, it
    would outweigh the offsets at which the next start is told to begin.
    """
    checkpoint = checkpoint_uri(settings, query)
    Storage(spark, f"{checkpoint}/sources").delete()
    Storage(spark, checkpoint).delete()
    beside_checkpoint(spark, settings, query, CheckpointSidecar.ORIGIN).delete()
