"""Roll a table back to a version, and notice that somebody has done so."""

from collections.abc import Mapping

from delta.tables import DeltaTable
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from contract.errors import UserError
from contract.lake import CAMERA, QUARANTINE
from contract.queries import ARCHIVE
from contract.settings import Settings
from pipeline.lake.tables import table_exists, table_uri
from pipeline.spark.failures import root_cause

_COMMITS = 100
"""How many of a table's newest commits are looked through."""


def restore_table(spark: SparkSession, settings: Settings, table: str, version: int) -> None:
    """Make a table what it was at a version, as a new version; no pipeline may run.

    Raises UserError if the version's files are gone.
    """
    uri = table_uri(spark, settings, table)
    try:
        spark.sql(f"RESTORE TABLE delta.`{uri}` TO VERSION AS OF {version}").collect()
    except Exception as error:
        raise UserError(
            f"The table {table} cannot be restored to version {version}: {root_cause(error)}"
        ) from None


def newest_restores(spark: SparkSession, settings: Settings) -> dict[str, int]:
    """Return the version of the newest RESTORE of each table that the archive writes."""
    found = {}
    for name in (CAMERA, QUARANTINE):
        if not table_exists(spark, settings, name):
            continue
        table = DeltaTable.forPath(spark, table_uri(spark, settings, name))
        restores = table.history(_COMMITS).where("operation = 'RESTORE'")
        ((version,),) = restores.agg(F.max("version")).collect()
        if version is not None:
            found[name] = int(version)
    return found


def require_not_restored(kept: Mapping[str, int], now: Mapping[str, int]) -> None:
    """Raise UserError if a table was rolled back since the archive last ran.

    The checkpoint says that the messages of the versions taken back have been written.
    """
    for name, version in now.items():
        if version > kept.get(name, -1):
            raise UserError(
                f"The table {name} was restored to an older version (RESTORE, its version "
                f"{version}), but the checkpoint of the query {ARCHIVE} says that later messages "
                f"were written to it. Going on would leave them out. `nest repair {ARCHIVE}` "
                "writes what is missing from Kafka and makes a new checkpoint."
            )
