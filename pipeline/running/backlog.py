"""How much of a Delta table a stream has not taken in yet.

Delta's own source reports no such metrics (Databricks calls them ``numFilesOutstanding`` and
``numBytesOutstanding``), so they are counted here from the table's log.
"""

from typing import Any, NamedTuple

from pyspark.sql import SparkSession

from contract.settings import Settings
from pipeline.lake.commits import read_actions
from pipeline.lake.table_offset import TableOffset
from pipeline.lake.tables import commit_name, files_and_bytes_at, log_uri
from pipeline.spark.storage import Storage

_MOST_COMMITS = 1_000
"""A stream that is further behind than this has at least as much to do as is counted."""


class Backlog(NamedTuple):
    """What a stream has not taken in yet."""

    files: int
    bytes: int


def read_backlog(spark: SparkSession, settings: Settings, offset: TableOffset) -> Backlog:
    """Count what a table has beyond an offset; TornCommit if a commit cannot be read."""
    log = log_uri(spark, settings, offset.table)
    files = size = 0
    version, index = offset.version, offset.file_index
    if offset.is_initial:
        all_files, all_bytes = files_and_bytes_at(spark, settings, offset.table, offset.version)
        files = max(0, all_files - index - 1)
        size = all_bytes * files // max(1, all_files)
        version, index = version + 1, -1
    for number in range(version, version + _MOST_COMMITS):
        commit = Storage(spark, f"{log}/{commit_name(number)}")
        if not commit.exists():
            break
        sizes = _new_files(read_actions(commit))[index + 1 :]
        files, size, index = files + len(sizes), size + sum(sizes), -1
    return Backlog(files, size)


def _new_files(commit: list[dict[str, Any]]) -> list[int]:
    """Return the sizes of the files that a commit gives to streams.

    A commit with change files gives these alone to a stream of changes, which is who reads such a
    table. A commit that only moves rows to other files, or that a stream passes over, gives none.
    """
    if changed := [action["cdc"]["size"] for action in commit if "cdc" in action]:
        return changed
    if any(action.get("remove", {}).get("dataChange") for action in commit):
        return []
    added = (action["add"] for action in commit if "add" in action)
    return [each["size"] for each in added if each["dataChange"]]
