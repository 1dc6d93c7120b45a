"""What was done to a table, version by version."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

import pandas as pd
from deltalake import DeltaTable

AT_FIRST = 1000
"""How many commits are read at first; from then on only new ones."""
OPTIMIZE = "OPTIMIZE"


class Commit(NamedTuple):
    """A version of a table, and what made it; numbers that the writer did not tell are None."""

    version: int
    moment: datetime
    operation: str
    rows: int | None
    files_added: int | None
    files_removed: int | None
    bytes_added: int | None
    bytes_removed: int | None


def read_history(table: DeltaTable, known: Mapping[int, Commit]) -> dict[int, Commit]:
    """Return the newest commits by version, the newest first; those known are not read again."""
    version = table.version()
    missing = version - max(known) if known else AT_FIRST
    new = {}
    if missing:
        for entry in table.history(min(missing, AT_FIRST)):
            new[entry["version"]] = _commit(entry)
    both = {**known, **new}
    return {number: both[number] for number in sorted(both, reverse=True)[:AT_FIRST]}


def as_frame(commits: Mapping[int, Commit]) -> pd.DataFrame:
    """Return the commits as a table, in their order."""
    frame = pd.DataFrame(commits.values(), columns=Commit._fields)
    for name in Commit._fields[3:]:
        frame[name] = frame[name].astype("Int64")
    return frame


def compactions(commits: Mapping[int, Commit]) -> list[Commit]:
    """Return the commits that put small files together, newest first."""
    return [
        commit
        for commit in commits.values()
        if commit.operation == OPTIMIZE and commit.files_removed
    ]


def _commit(entry: Mapping[str, Any]) -> Commit:
    """Read a commit's numbers, which Spark and delta-rs name differently."""
    metrics = entry.get("operationMetrics") or {}

    def first(*names: str) -> int | None:
        for name in names:
            outer, _, inner = name.partition(".")
            value = metrics.get(outer)
            if inner:
                document = json.loads(value) if isinstance(value, str) else value
                value = document.get(inner) if isinstance(document, dict) else None
            if value is not None:
                return int(value)
        return None

    added = first(
        "numAddedFiles", "numFiles", "num_added_files", "numFilesAdded", "filesAdded.totalFiles"
    )
    none = None if added is None else 0  # a writer that removes nothing may not mention it
    removed = first(
        "numRemovedFiles", "num_removed_files", "numFilesRemoved", "filesRemoved.totalFiles"
    )
    octets_removed = first("numRemovedBytes", "filesRemoved.totalSize")
    return Commit(
        entry["version"],
        datetime.fromtimestamp(entry.get("timestamp", 0) / 1000, UTC),
        str(entry.get("operation", "unknown")),
        first("numOutputRows", "num_added_rows", "numTargetRowsUpdated"),
        added,
        none if removed is None else removed,
        first("numAddedBytes", "numOutputBytes", "filesAdded.totalSize"),
        none if octets_removed is None and not removed else octets_removed,
    )
