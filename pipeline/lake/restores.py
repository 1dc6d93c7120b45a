"""Whether somebody has rolled a table back to an older version."""

from collections.abc import Mapping
from itertools import islice
from typing import Any

from pyspark.sql import SparkSession

from contract.errors import UserError
from contract.lake import ARCHIVE_TABLES
from contract.queries import Query
from contract.settings import Settings
from pipeline.lake.commits import commits, oldest_needed
from pipeline.lake.tables import newest_snapshot, table_exists

_COMMITS = 100
"""How many of a table's newest commits are looked through."""


def newest_restores(spark: SparkSession, settings: Settings) -> dict[str, int]:
    """Return the version of the newest RESTORE of each table that the archive writes."""
    found = {}
    for name in ARCHIVE_TABLES:
        if not table_exists(spark, settings, name):
            continue
        needed = oldest_needed(newest_snapshot(spark, settings, name))
        newest = islice(commits(spark, settings, name, whole_since=needed), _COMMITS)
        restore = next((version for version, actions in newest if _is_restore(actions)), None)
        if restore is not None:
            found[name] = restore
    return found


def _is_restore(actions: list[dict[str, Any]]) -> bool:
    return any(each.get("commitInfo", {}).get("operation") == "RESTORE" for each in actions)


def require_not_restored(kept: Mapping[str, int], now: Mapping[str, int]) -> None:
    """Raise UserError if a table was rolled back since the archive last ran.

    The checkpoint says that the messages of the versions taken back have been written.
    """
    for name, version in now.items():
        if version > kept.get(name, -1):
            raise UserError(
                f"The table {name} was restored to an older version (RESTORE, its version "
                f"{version}), but the checkpoint of the query {Query.ARCHIVE} says that later "
                "messages were written to it. Going on would leave them out. "
                f"`nest repair {Query.ARCHIVE}` writes what is missing from Kafka and makes a new "
                "checkpoint."
            )
