"""Delete a query's checkpoint, and what it has said that it has done."""

from datetime import UTC, datetime

from contract.instants import format_instant
from contract.kafka.sending import send_records
from contract.progress import QueryProgress
from contract.topics import PIPELINE_PROGRESS
from pipeline.checkpoints.checkpoint import Checkpoint


def delete_progress_and_checkpoint(checkpoint: Checkpoint) -> None:
    """Make a query's next start a first start; safe to repeat.

    The progress comes first: a kill in between leaves a query that has done more than it says.
    """
    now = format_instant(datetime.now(UTC))
    nothing_done = QueryProgress(checkpoint.query, "stopped", now).encode()
    send_records(checkpoint.settings.kafka, PIPELINE_PROGRESS.name, [nothing_done])
    checkpoint.delete()
