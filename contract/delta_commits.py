"""A Delta table's history: what each commit did."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from deltalake import DeltaTable

from contract.instants import from_epoch_ms

MAX_COMMITS = 1000
"""How many commits are kept, the newest ones."""
_OPTIMIZE = "OPTIMIZE"


class Commit(NamedTuple):
    """A version of a table and what made it; numbers that the writer left out are None."""

    version: int
    time: datetime
    """UTC."""
    operation: str
    rows: int | None
    files_added: int | None
    files_removed: int | None
    bytes_added: int | None
    bytes_removed: int | None


def read_commits(
    table: DeltaTable, known: Mapping[int, Commit], limit: int = MAX_COMMITS
) -> dict[int, Commit]:
    """Return the newest commits by version, newest first; only those not ``known`` are read.

    DeltaError if one of these is damaged, which does not keep the table from being read.
    """
    missing = table.version() - max(known) if known else limit
    commits = dict(known)
    if missing:
        for entry in table.history(min(missing, limit)):
            commits[entry["version"]] = _parse_commit(entry)
    return {number: commits[number] for number in sorted(commits, reverse=True)[:limit]}


def compactions(commits: Mapping[int, Commit]) -> list[Commit]:
    """Return the commits that compacted files, in their order."""
    return [
        commit
        for commit in commits.values()
        if commit.operation == _OPTIMIZE and commit.files_removed
    ]


def version_at(commits: Mapping[int, Commit], time: datetime) -> int | None:
    """Return the newest version at a time (UTC); None if the commits start later.

    ``commits`` are newest first.
    """
    return next((number for number, commit in commits.items() if commit.time <= time), None)


def _parse_commit(entry: Mapping[str, Any]) -> Commit:
    """Read an entry of the history, where Spark and delta-rs name the same metrics differently."""
    metrics = entry.get("operationMetrics") or {}

    def first(*names: str) -> int | None:
        """Return the first metric that is there; ``outer.inner`` is a field of a JSON object."""
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
        *("numAddedFiles", "numFiles", "num_added_files", "numFilesAdded", "numTargetFilesAdded"),
        "filesAdded.totalFiles",
    )
    removed = first(
        *("numRemovedFiles", "num_removed_files", "numFilesRemoved", "numTargetFilesRemoved"),
        "filesRemoved.totalFiles",
    )
    bytes_removed = first("numRemovedBytes", "numTargetBytesRemoved", "filesRemoved.totalSize")
    # A writer that removes nothing may leave out how much it removed.
    none_removed = None if added is None else 0
    return Commit(
        entry["version"],
        from_epoch_ms(entry.get("timestamp", 0)),
        str(entry.get("operation", "unknown")),
        first("numOutputRows", "num_added_rows", "numTargetRowsUpdated"),
        added,
        none_removed if removed is None else removed,
        first("numAddedBytes", "numOutputBytes", "numTargetBytesAdded", "filesAdded.totalSize"),
        none_removed if bytes_removed is None and not removed else bytes_removed,
    )
