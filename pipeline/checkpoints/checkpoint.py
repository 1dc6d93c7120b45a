"""The checkpoints of the streaming queries: where they are, and what Spark keeps in them."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from py4j.protocol import Py4JJavaError
from pyspark.sql import SparkSession

from contract.checkpoint_sidecars import CheckpointSidecar
from contract.errors import UserError
from contract.queries import Query
from contract.settings import Settings
from contract.topics import NEST_LOGS
from pipeline.spark.failures import is_transient
from pipeline.spark.storage import Storage

_LOGS = ("offsets", "commits")
"""Folders of a checkpoint: a numbered file for each batch that is planned, and committed."""


class Batches(NamedTuple):
    """The newest micro-batch of a checkpoint; -1 before the first one.

    A batch that is planned and not committed runs again at the next start, from the same offsets.
    """

    planned: int
    committed: int


def checkpoint_uri(settings: Settings, query: Query) -> str:
    """Return where a query's checkpoint is."""
    return f"{settings.checkpoints}/{query}"


def beside_checkpoint(
    spark: SparkSession, settings: Settings, query: Query, what: CheckpointSidecar
) -> Storage:
    """Return one of the small files beside a query's checkpoint."""
    return Storage(spark, f"{checkpoint_uri(settings, query)}.{what}")


def has_checkpoint(spark: SparkSession, settings: Settings, query: Query) -> bool:
    """Return whether a query has begun, so that its next start goes on from its checkpoint.

    Raises UserError if the checkpoint has batches, and only the query's id is gone.
    """
    metadata = _metadata(spark, settings, query)
    if metadata.exists():
        return True
    if any(_batches(spark, settings, query, log) for log in _LOGS):
        raise torn(query, metadata)
    return False


def query_id(spark: SparkSession, settings: Settings, query: Query) -> str:
    """Return the id that Spark gave a query at its first start; restarts do not change it."""
    return str(json.loads(_metadata(spark, settings, query).read_text())["id"])


def newest_batches(spark: SparkSession, settings: Settings, query: Query) -> Batches:
    """Return the newest planned and committed batch.

    Raises UserError if a file that Spark would read at the start is torn or gone: of the planned
    batches it reads the two newest.
    """
    with torn_if_unreadable(query, _metadata(spark, settings, query)):
        query_id(spark, settings, query)
    planned, committed = (max(_batches(spark, settings, query, log), default=-1) for log in _LOGS)
    newest = max(planned, committed)
    for batch in range(max(0, newest - 1), newest + 1):
        _require_whole(spark, settings, query, f"offsets/{batch}", documents=2)
    if committed >= 0:
        _require_whole(spark, settings, query, f"commits/{committed}", documents=1)
    return Batches(planned, committed)


def clear_unplanned(spark: SparkSession, settings: Settings, query: Query) -> None:
    """Delete what a kill has left of a query that had not planned its first batch.

    Spark refuses to begin where its folders are not empty, even if a half-written file is all.
    Raises UserError if a batch has been committed: then the planned ones have been deleted.
    """
    uri = checkpoint_uri(settings, query)
    if _batches(spark, settings, query, "offsets"):
        return
    if committed := _batches(spark, settings, query, "commits"):
        raise torn(query, Storage(spark, f"{uri}/offsets/{max(committed)}"))
    for folder in (*_LOGS, "state"):
        Storage(spark, f"{uri}/{folder}").delete()


def committed_offsets(spark: SparkSession, settings: Settings, query: Query) -> dict[int, int]:
    """Return by partition of nest-logs where a query's newest committed batch ended.

    Empty before its first one.
    """
    committed = newest_batches(spark, settings, query).committed
    if committed < 0:
        return {}
    offsets = source_offset(spark, settings, query, committed).get(NEST_LOGS.name, {})
    return {int(partition): offset for partition, offset in offsets.items()}


def source_offset(
    spark: SparkSession, settings: Settings, query: Query, batch: int
) -> dict[str, Any]:
    """Return where a batch ends in the query's only source, as the source writes it."""
    file = Storage(spark, f"{checkpoint_uri(settings, query)}/offsets/{batch}")
    offset: dict[str, Any] = json.loads(file.read_text().splitlines()[-1])
    return offset


def _batches(spark: SparkSession, settings: Settings, query: Query, log: str) -> list[int]:
    """Return the numbers of the batches in one of the checkpoint's logs."""
    folder = Storage(spark, f"{checkpoint_uri(settings, query)}/{log}")
    return [int(name) for name in folder.names() if name.isdigit()]


def _require_whole(
    spark: SparkSession, settings: Settings, query: Query, name: str, *, documents: int
) -> None:
    """Raise UserError unless a batch's file is as Spark writes it: a version, then JSON.

    A planned batch has two lines of JSON, the second for the only source, and a commit has one.
    """
    file = Storage(spark, f"{checkpoint_uri(settings, query)}/{name}")
    with torn_if_unreadable(query, file):
        version, *lines = file.read_text().splitlines()
        if not version.startswith("v") or len(lines) < documents:
            raise ValueError("no version, or too little after it")
        for line in lines:
            json.loads(line)


@contextmanager
def torn_if_unreadable(query: Query, file: Storage) -> Iterator[None]:
    """Raise UserError where a file in or beside a query's checkpoint is not what was written.

    That is: other JSON, no JSON, no text, no file, or a wrong checksum. Where the file system does
    not answer, the file may be whole, and its own error goes on.
    """
    try:
        yield
    except (ValueError, KeyError, TypeError, Py4JJavaError) as error:
        if is_transient(error):
            raise
        raise torn(query, file) from None


def torn(query: Query, file: Storage) -> UserError:
    """Return the error that a file in or beside a query's checkpoint cannot be read."""
    return UserError(
        f"The file {file.uri} is torn: it was cut off, emptied or deleted, for example by a full "
        f"disk or a power failure. Nothing is lost. `nest repair {query}` makes a new checkpoint "
        "from what is in Kafka and in the tables."
    )


def _metadata(spark: SparkSession, settings: Settings, query: Query) -> Storage:
    return Storage(spark, f"{checkpoint_uri(settings, query)}/metadata")
