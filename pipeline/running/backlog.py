"""How much of a Delta table a stream has not taken in yet.

Delta's own source reports no such metrics (Databricks calls them ``numFilesOutstanding`` and
``numBytesOutstanding``), so they are counted here from the table's log.
"""

import json
from typing import NamedTuple

from pyspark.sql import SparkSession

from contract.json_shape import json_lines
from contract.settings import Settings
from pipeline.lake.table_offset import TableOffset
from pipeline.lake.tables import files_and_bytes_at, table_uri
from pipeline.spark.storage import Storage

_MOST_COMMITS = 1_000
"""A stream that is further behind than this has at least as much to do as is counted."""


class Backlog(NamedTuple):
    """What a stream has not taken in yet."""

    files: int
    bytes: int


def read_backlog(spark: SparkSession, settings: Settings, offset: TableOffset) -> Backlog:
    """Count what a table has beyond an offset."""
    uri = table_uri(spark, settings, offset.table)
    files = size = 0
    version, index = offset.version, offset.file_index
    if offset.is_initial:
        all_files, all_bytes = files_and_bytes_at(spark, settings, offset.table, offset.version)
        files = max(0, all_files - index - 1)
        size = all_bytes * files // max(1, all_files)
        version, index = version + 1, -1
    for number in range(version, version + _MOST_COMMITS):
        commit = Storage(spark, f"{uri}/_delta_log/{number:020}.json")
        if not commit.exists():
            break
        sizes = _new_files(commit.read_text())[index + 1 :]
        files, size, index = files + len(sizes), size + sum(sizes), -1
    return Backlog(files, size)


def _new_files(commit: str) -> list[int]:
    """Return the sizes of the files that a commit gives to streams.

    A commit with change files gives these alone to a stream of changes, which is who reads such a
    table. A commit that only moves rows to other files, or that a stream passes over, gives none.
    """
    actions = [json.loads(line) for line in json_lines(commit)]
    if changed := [action["cdc"]["size"] for action in actions if "cdc" in action]:
        return changed
    if any(action.get("remove", {}).get("dataChange") for action in actions):
        return []
    added = (action["add"] for action in actions if "add" in action)
    return [each["size"] for each in added if each["dataChange"]]
