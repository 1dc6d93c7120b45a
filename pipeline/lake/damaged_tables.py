"""A Delta table whose log is damaged: noticed before a query starts, and set aside by a repair."""

from collections.abc import Iterable

from py4j.protocol import Py4JJavaError
from pyspark.sql import SparkSession

from contract.errors import UserError
from contract.lake import CAMERA_STATUS, SET_ASIDE
from contract.settings import Settings
from pipeline.lake.tables import newest_snapshot, table_exists, table_uri
from pipeline.spark.failures import root_cause
from pipeline.spark.storage import Storage

_MEND = {CAMERA_STATUS: "`nest repair camera_status` builds it anew from the table camera."}
_MEND_ARCHIVE = (
    "While all messages are in nest-logs, nothing is lost: `nest repair archive --new-tables` sets "
    "the tables aside and writes them anew."
)


def require_readable(spark: SparkSession, settings: Settings, tables: Iterable[str]) -> None:
    """Raise UserError if the log of a table that exists is torn, has a gap, or is no log."""
    for name in tables:
        if not table_exists(spark, settings, name):
            continue
        try:
            newest_snapshot(spark, settings, name).numOfFiles()
        except Py4JJavaError as error:
            raise UserError(
                f"The log of the table {table_uri(spark, settings, name)} is damaged: "
                f"{root_cause(error)}\n{_MEND.get(name, _MEND_ARCHIVE)}"
            ) from None


def set_aside(spark: SparkSession, settings: Settings, tables: Iterable[str]) -> list[str]:
    """Rename the folders of tables that exist, and return where they are now.

    What was set aside before is deleted.
    """
    moved = []
    for name in tables:
        table = Storage(spark, table_uri(spark, settings, name))
        if table.exists():
            aside = Storage(spark, f"{table.uri}{SET_ASIDE}")
            aside.delete()
            table.rename_to(aside)
            moved.append(aside.uri)
    # The session's own view of the tables is of what was there.
    spark.sparkContext._jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()  # type: ignore[union-attr]
    return moved
