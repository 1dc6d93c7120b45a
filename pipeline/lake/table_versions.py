"""Which version of a table a person means, by its number or by a time."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from contract.errors import UserError
from contract.instants import format_instant, from_epoch_ms
from contract.settings import Settings
from contract.version_choice import VersionChoice
from pipeline.lake.tables import delta_table, existing_tables


class CommitTime(NamedTuple):
    """A version, and when it was committed (UTC)."""

    version: int
    time: datetime


def read_commit_times(spark: SparkSession, settings: Settings, table: str) -> list[CommitTime]:
    """Return the versions in a table's log, oldest first; UserError if there is no such table."""
    tables = existing_tables(spark, settings)
    if table not in tables:
        there = f"It has {', '.join(tables)}." if tables else "It has none yet."
        raise UserError(f"There is no table {table!r} in NEST_LAKE={settings.lake}. {there}")
    history = delta_table(spark, settings, table).history()
    rows = history.select("version", F.unix_millis("timestamp").alias("time")).collect()
    return sorted(CommitTime(int(row["version"]), from_epoch_ms(row["time"])) for row in rows)


def choose_version(as_of: VersionChoice, table: str, commits: Sequence[CommitTime]) -> int:
    """Return the version that a number or a time means.

    ``commits`` are oldest first. Raises UserError for a version or time that they do not reach.
    """
    oldest, newest = commits[0], commits[-1]
    if isinstance(as_of, int):
        if not oldest.version <= as_of <= newest.version:
            raise UserError(
                f"The table {table} has no version {as_of}: its log has the versions "
                f"{oldest.version} to {newest.version} (NEST_VERSION_RETENTION)."
            )
        return as_of
    versions = [commit.version for commit in commits if commit.time <= as_of]
    if not versions:
        raise UserError(
            f"The table {table} has no version of {format_instant(as_of, 'seconds')}: its log "
            f"begins at {format_instant(oldest.time, 'seconds')} (NEST_VERSION_RETENTION)."
        )
    return max(versions)
