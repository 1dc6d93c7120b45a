"""Whether a query that follows a table may go on with the tables that are there."""

from dataclasses import replace

from pipeline.checkpoints.checkpoint import Batches, Checkpoint
from pipeline.checkpoints.older_copies import require_no_older_copy
from pipeline.checkpoints.origin import Origin, keep_origin, read_origin
from pipeline.checkpoints.same_origin import require_same_tables
from pipeline.lake.damaged_tables import require_readable
from pipeline.lake.tables import table_ids


def require_resumable_table_stream(
    checkpoint: Checkpoint, tables: tuple[str, ...]
) -> Batches | None:
    """Return the newest batches of a query that goes on; None for a query that begins.

    The first of the tables is the one that the query reads. Raises UserError if a table is not the
    one that the query began with, if the first is an older copy of it, or if a file of the
    checkpoint is torn.
    """
    require_readable(checkpoint.spark, checkpoint.settings, tables)
    if not checkpoint.has_begun():
        return None
    batches = checkpoint.newest_batches()
    if kept := read_origin(checkpoint):
        present = _origin(checkpoint, tables)
        require_same_tables(checkpoint.query, kept, present, checkpoint.settings)
    require_no_older_copy(checkpoint, tables[0])
    return batches


def keep_table_and_topic_ids(
    checkpoint: Checkpoint, tables: tuple[str, ...], output_topic_id: str = ""
) -> None:
    """Keep the ids of the tables that a query begins or goes on with, and of its topic if any."""
    origin = _origin(checkpoint, tables)
    keep_origin(checkpoint, replace(origin, output_topic_id=output_topic_id))


def _origin(checkpoint: Checkpoint, tables: tuple[str, ...]) -> Origin:
    return Origin(topic_id="", tables=table_ids(checkpoint.spark, checkpoint.settings, tables))
