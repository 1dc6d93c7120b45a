"""Refuse to go on where a table or a checkpoint is an older copy than the other.

A table that was put back from a backup would lack what came since. With a checkpoint that was put
back, Delta would take the next batches for ones that it has, and skip them.
"""

from contract.errors import UserError
from pipeline.checkpoints.checkpoint import Batches, Checkpoint
from pipeline.checkpoints.same_origin import repair_advice
from pipeline.lake.commits import last_batch
from pipeline.lake.table_offset import TableOffset
from pipeline.lake.tables import newest_snapshot, table_exists


def written_batch(checkpoint: Checkpoint, table: str) -> int:
    """Return the newest batch of the query that a table has; -1 if it has none."""
    return last_batch(checkpoint.spark, checkpoint.settings, table, checkpoint.query_id())


def require_newer_than_table(
    checkpoint: Checkpoint, table: str, batches: Batches, written: int
) -> None:
    """Raise UserError if the checkpoint is an older copy: Delta would skip what it has.

    ``written`` is the table's ``written_batch``.
    """
    if written > batches.planned:
        raise UserError(
            f"The checkpoint {checkpoint.uri} is older than the table {table}: it knows the "
            f"batches up to {batches.planned}, and the table has batch {written}. Delta would skip "
            "the batches between, whatever they hold now. Nothing is lost. "
            f"{repair_advice(checkpoint.query)}"
        )


def require_whole_table(
    checkpoint: Checkpoint, table: str, batches: Batches, written: int, *, made_from: str
) -> None:
    """Raise UserError if the table is an older copy: it lacks a batch that was committed.

    Every batch of the query writes to the table, if only that it was there. ``written`` is the
    table's ``written_batch``; ``made_from`` names the topic or table that it is made from.
    """
    if written < batches.committed:
        query = checkpoint.query
        raise UserError(
            f"The table {table} in NEST_LAKE={checkpoint.settings.lake} lacks what the query "
            f"{query} has written: it has the batches up to {written}, and the checkpoint "
            f"{checkpoint.uri} has {batches.committed}. Nothing is lost while what it lacks is in "
            f"{made_from}. {repair_advice(query)}"
        )


def require_no_older_copy(checkpoint: Checkpoint, table: str) -> None:
    """Raise UserError if a table is an older copy of what a stream has read.

    It has to be asked before anything is written to the table, which makes it newer.
    """
    if reads_older_copy(checkpoint, table):
        query = checkpoint.query
        raise UserError(
            f"The table {table} in NEST_LAKE={checkpoint.settings.lake} is an older copy: it lacks "
            f"versions that the query {query} has read, and the query would leave out as many new "
            f"ones. {repair_advice(query)}"
        )


def reads_older_copy(checkpoint: Checkpoint, table: str) -> bool:
    """Return whether a table that a stream reads lacks versions that the stream has read.

    Delta passes over what is appended to it until it has as many versions again.
    """
    spark, settings = checkpoint.spark, checkpoint.settings
    if not checkpoint.has_begun() or not table_exists(spark, settings, table):
        return False
    batch = checkpoint.newest_batches().planned
    if batch < 0:
        return False
    offset = TableOffset.of(table, checkpoint.source_offset(batch))
    return bool(offset.read_version > newest_snapshot(spark, settings, table).version())
