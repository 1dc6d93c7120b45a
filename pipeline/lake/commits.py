"""The commits of a Delta table's log, read as the files that they are.

Delta reads them by a Spark job, which takes a second, however few they are.
Source: the Delta transaction log protocol, "Delta Log Entries".
"""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from py4j.protocol import Py4JJavaError
from pyspark.sql import SparkSession

from contract.errors import UserError
from contract.json_shape import json_lines
from contract.settings import Settings
from pipeline.lake.exactly_once import writer_id
from pipeline.lake.tables import log_uri, newest_snapshot
from pipeline.spark.failures import is_transient
from pipeline.spark.storage import Storage

_COMMIT = re.compile(r"(\d{20})\.json")


class TornCommit(UserError):
    """A file of the log that does not hold whole lines of JSON."""


def commits(
    spark: SparkSession, settings: Settings, table: str, since: int = 0, *, whole_since: int = 0
) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Yield the version and the actions of each commit in the log, the newest one first.

    ``since`` is the oldest version wanted. Raises TornCommit, which names the file; older ones than
    ``whole_since`` are passed over if they are torn.
    """
    log = log_uri(spark, settings, table)
    found = filter(None, map(_COMMIT.fullmatch, Storage(spark, log).names()))
    for match in sorted(found, key=lambda match: match[1], reverse=True):
        version = int(match[1])
        if version < since:
            return
        try:
            actions = read_actions(Storage(spark, f"{log}/{match[0]}"))
        except (TornCommit, Py4JJavaError) as error:  # the latter: its checksum is wrong
            if version >= whole_since or is_transient(error):
                raise
            continue
        yield version, actions


def last_batch(spark: SparkSession, settings: Settings, table: str, query_id: str) -> int:
    """Return the newest batch of a query that a table has; -1 if it has none."""
    writer = writer_id(table, query_id)
    snapshot = newest_snapshot(spark, settings, table)
    for _, actions in commits(spark, settings, table, since=oldest_needed(snapshot)):
        for action in actions:
            if action.get("txn", {}).get("appId") == writer:
                return int(action["txn"]["version"])
    found = snapshot.transactions().get(writer)
    return int(found.get()) if found.isDefined() else -1


def oldest_needed(snapshot: Any) -> int:
    """Return the first version that is not in a snapshot's checkpoint; 0 without a checkpoint."""
    checkpoint = snapshot.logSegment().checkpointProvider()
    return 0 if checkpoint.isEmpty() else int(checkpoint.version()) + 1


def read_actions(file: Storage) -> list[dict[str, Any]]:
    """Return the actions in the file of a commit; TornCommit, which names it, if it is torn."""
    try:
        lines = json_lines(file.read_text())
        return [msgspec.json.decode(line, type=dict[str, Any]) for line in lines]
    except (UnicodeDecodeError, msgspec.DecodeError):
        raise TornCommit(f"{file.uri} ends in the middle of a line, or is not JSON") from None
