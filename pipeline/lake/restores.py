"""Roll a table back to a version, and notice that somebody has done so."""

from collections.abc import Mapping
from itertools import islice
from typing import Any

from pyspark.sql import SparkSession

from contract.errors import UserError
from contract.lake import ARCHIVE_TABLES
from contract.queries import Query
from contract.settings import Settings
from pipeline.lake.commits import commits, oldest_needed
from pipeline.lake.sql_name import sql_name
from pipeline.lake.tables import newest_snapshot, table_exists, table_uri
from pipeline.spark.failures import root_cause

_COMMITS = 100
"""How many of a table's newest commits are looked through."""


def restore_table(spark: SparkSession, settings: Settings, table: str, version: int) -> None:
    """Make a table what it was at a version, as a new version; no pipeline may run.

    Raises UserError if the version's files are gone.
    """
    uri = table_uri(spark, settings, table)
    try:
        spark.sql(f"RESTORE TABLE {sql_name(uri)} TO VERSION AS OF {version}").collect()
    except Exception as error:
        raise UserError(
            f"The table {table} cannot be restored to version {version}: {root_cause(error)}"
        ) from None


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
