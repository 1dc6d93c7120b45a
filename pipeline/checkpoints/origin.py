"""Where a checkpoint comes from: the topic, tables and rules that its query began with.

It is kept in a file beside the checkpoint. A query that goes on with another topic, another table
or other rules would leave messages out or count them wrongly, and nothing else would notice.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field

from pyspark.sql import SparkSession

from contract.errors import UserError
from contract.kafka.connections import ask_admin
from contract.lake import ARCHIVE_TABLES
from contract.queries import Query
from contract.settings import Settings
from contract.topics import NEST_LOGS
from pipeline.checkpoints.checkpoint import (
    Batches,
    beside_checkpoint,
    checkpoint_uri,
    has_checkpoint,
    newest_batches,
    query_id,
    source_offset,
    torn_if_unreadable,
)
from pipeline.lake.commits import last_batch
from pipeline.lake.restores import newest_restores, require_not_restored
from pipeline.lake.tables import newest_snapshot, table_exists, table_ids
from pipeline.spark.storage import Storage

_FILE = "origin"
_REPAIRS = {
    Query.ARCHIVE: "it writes what is missing from Kafka and makes a new checkpoint",
    Query.CAMERA_STATUS: "it builds the table camera_status anew from the table camera",
    Query.ALERTS: "the next start compares the cameras with what the alerts so far have said",
}
"""What ``nest repair`` does, by query."""
_AFTER_REBUILD = {
    "NEST_CLOCK_SKEW": (
        " The table quarantine was written with the old one, too: `nest repair archive "
        "--new-tables` writes it anew, and without that `nest check` does not hold."
    )
}
"""What is left to do after the counts are rebuilt, by rule."""


@dataclass(frozen=True)
class Origin:
    """The topic's id, the tables' ids by name, and the rules by setting, as text."""

    topic_id: str
    tables: Mapping[str, str] = field(default_factory=dict)
    rules: Mapping[str, str] = field(default_factory=dict)
    restores: Mapping[str, int] = field(default_factory=dict)
    """By table, the version of the newest RESTORE that the query knows of."""


def topic_id(settings: Settings) -> str:
    """Return the id that the broker gave nest-logs; a topic that is created again has another."""
    (found,) = ask_admin(settings.kafka, lambda admin: admin.describe_topics([NEST_LOGS.name]))
    return str(found["topic_id"])


def archive_origin(spark: SparkSession, settings: Settings) -> Origin:
    """Return the topic and the tables of the archive as they are now."""
    tables = table_ids(spark, settings, ARCHIVE_TABLES)
    return Origin(topic_id(settings), tables, restores=newest_restores(spark, settings))


def require_same_archive(kept: Origin, now: Origin, settings: Settings) -> None:
    """Raise UserError unless topic and tables are those of the archive, and not restored since."""
    require_same_topic(Query.ARCHIVE, kept, now, settings)
    require_same_tables(Query.ARCHIVE, kept, now, settings)
    require_not_restored(kept.restores, now.restores)


def read_origin(spark: SparkSession, settings: Settings, query: Query) -> Origin | None:
    """Return what was kept when the query began, or was repaired; None if nothing was.

    Raises UserError if the file is torn.
    """
    file = beside_checkpoint(spark, settings, query, _FILE)
    if not file.exists():
        return None
    with torn_if_unreadable(query, file):
        return Origin(**json.loads(file.read_text()))


def keep_origin(spark: SparkSession, settings: Settings, query: Query, origin: Origin) -> None:
    """Keep what the query begins with, or goes on with."""
    with suppress(UserError):
        if read_origin(spark, settings, query) == origin:
            return
    beside_checkpoint(spark, settings, query, _FILE).write_text(json.dumps(asdict(origin)))


def delete_checkpoint(spark: SparkSession, settings: Settings, query: Query) -> None:
    """Delete a query's checkpoint and what it began with: its next start is a first start.

    First where Spark keeps at which offsets the query began: left alone by a kill in between, it
    would outweigh the offsets at which the next start is told to begin.
    """
    checkpoint = checkpoint_uri(settings, query)
    Storage(spark, f"{checkpoint}/sources").delete()
    Storage(spark, checkpoint).delete()
    beside_checkpoint(spark, settings, query, _FILE).delete()


def require_same_topic(query: Query, kept: Origin, now: Origin, settings: Settings) -> None:
    """Raise UserError if nest-logs was deleted and created again since the query began.

    With NEST_FAIL_ON_DATA_LOSS=false the query goes on at its old offsets.
    """
    if kept.topic_id == now.topic_id or not settings.fail_on_data_loss:
        return
    raise UserError(
        f"The topic {NEST_LOGS.name} was deleted and created again since the query {query} last "
        "ran. The query would skip the messages of the new topic up to its old offsets. To begin "
        "again with the new topic, run `nest repair archive --new-tables`, which sets the old "
        "tables aside, and `nest repair stats`. To go on and skip them, set "
        "NEST_FAIL_ON_DATA_LOSS=false."
    )


def require_same_tables(query: Query, kept: Origin, now: Origin, settings: Settings) -> None:
    """Raise UserError if a table is not the one that the query began with."""
    for name, table_id in kept.tables.items():
        if now.tables.get(name) != table_id:
            found = "is another one" if name in now.tables else "is gone"
            raise UserError(
                f"The table {name} in NEST_LAKE={settings.lake} {found}, but the checkpoint of the "
                f"query {query} goes on after what it did with the old one. Messages would be left "
                "out. Set NEST_LAKE or NEST_CHECKPOINTS right, or run "
                f"`nest repair {query}`: {_REPAIRS[query]}."
            )


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
            f"`nest repair {query}`: {_REPAIRS[query]}."
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
            f"messages are in {NEST_LOGS.name}. `nest repair {query}`: {_REPAIRS[query]}."
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
            f"`nest repair {query}`: {_REPAIRS[query]}."
        )


def require_same_rules(kept: Origin, now: Origin) -> None:
    """Raise UserError if a rule differs from the one that the counts were begun with."""
    for name, value in now.rules.items():
        before = kept.rules.get(name, value)
        if before != value:
            raise UserError(
                f"The counts were made with another {name}: {before} then, {value} now. Set it "
                "back, or rebuild the counts from the first message with "
                f"`nest pipeline --rebuild-counts`.{_AFTER_REBUILD.get(name, '')}"
            )
