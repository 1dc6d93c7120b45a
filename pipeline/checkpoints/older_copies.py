"""Refuse to go on where a table or a checkpoint is an older copy than the other.

One that was put back from a backup would leave out what came since, or Delta would skip it.
"""

from pyspark.sql import SparkSession

from contract.errors import UserError
from contract.queries import Query
from contract.settings import Settings
from contract.topics import NEST_LOGS
from pipeline.checkpoints.checkpoint import (
    Batches,
    checkpoint_uri,
    has_checkpoint,
    newest_batches,
    query_id,
    source_offset,
)
from pipeline.checkpoints.repair_advice import repair_advice
from pipeline.lake.commits import last_batch
from pipeline.lake.tables import newest_snapshot, table_exists


def require_newer_than_table(
    spark: SparkSession, settings: Settings, query: Query, table: str, batches: Batches
) -> None:
    """Raise UserError if the checkpoint is an older copy: Delta would skip what it has."""
    written = last_batch(spark, settings, table, query_id(spark, settings, query))
    if written > batches.planned:
        raise UserError(
            f"The checkpoint {checkpoint_uri(settings, query)} is older than the table {table}: it "
            f"knows the batches up to {batches.planned}, and the table has batch {written}. Delta "
            "would skip the batches between, whatever they hold now. Nothing is lost. "
            f"{repair_advice(query)}"
        )


def require_whole_table(
    spark: SparkSession, settings: Settings, query: Query, table: str, batches: Batches
) -> None:
    """Raise UserError if the table is an older copy: it lacks a batch that was committed.

    Every batch of the query writes to the table, if only that it was there.
    """
    written = last_batch(spark, settings, table, query_id(spark, settings, query))
    if written < batches.committed:
        raise UserError(
            f"The table {table} in NEST_LAKE={settings.lake} lacks what the query {query} has "
            f"written: it has the batches up to {written}, and the checkpoint "
            f"{checkpoint_uri(settings, query)} has {batches.committed}. Nothing is lost while the "
            f"messages are in {NEST_LOGS.name}. {repair_advice(query)}"
        )


def require_no_older_copy(
    spark: SparkSession, settings: Settings, query: Query, table: str
) -> None:
    """Raise UserError if a table is an older copy of what a stream has read.

    It has to be asked before anything is written to the table, which makes it newer.
    """
    if reads_older_copy(spark, settings, query, table):
        raise UserError(
            f"The table {table} in NEST_LAKE={settings.lake} is an older copy: it lacks versions "
            f"that the query {query} has read, and the query would leave out as many new ones. "
            f"{repair_advice(query)}"
        )


def reads_older_copy(spark: SparkSession, settings: Settings, query: Query, table: str) -> bool:
    """Return whether a table that a stream reads lacks versions that the stream has read.

    Delta passes over what is appended to it until it has as many versions again.
    """
    if not has_checkpoint(spark, settings, query) or not table_exists(spark, settings, table):
        return False
    batch = newest_batches(spark, settings, query).planned
    if batch < 0:
        return False
    offset = source_offset(spark, settings, query, batch)
    read = offset["reservoirVersion"] - (offset["index"] < 0)  # below 0: nothing of that one yet
    return bool(read > newest_snapshot(spark, settings, table).version())
