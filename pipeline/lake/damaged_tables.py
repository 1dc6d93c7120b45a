"""A Delta table whose log is damaged: noticed before a query starts, and set aside by a repair."""

from collections.abc import Iterable
from itertools import count

from py4j.protocol import Py4JJavaError
from pyspark.sql import SparkSession

from contract.errors import UserError
from contract.lake import CAMERA_STATUS, SET_ASIDE, TABLES
from contract.settings import Settings
from pipeline.lake.commits import TornCommit, commits, oldest_needed
from pipeline.lake.snapshots import forget_snapshots
from pipeline.lake.tables import newest_snapshot, table_exists, table_uri
from pipeline.spark.failures import is_transient, root_cause
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
            _read_log(spark, settings, name)
        except (Py4JJavaError, TornCommit) as error:
            if is_transient(error):
                raise
            reason = root_cause(error) if isinstance(error, Py4JJavaError) else error
            raise UserError(
                f"The log of the table {table_uri(spark, settings, name)} is damaged: "
                f"{reason}\n{_MEND.get(name, _MEND_ARCHIVE)}"
            ) from None


def _read_log(spark: SparkSession, settings: Settings, name: str) -> None:
    """Read what the table's newest version is made of; py4j's error or TornCommit if that fails.

    Delta itself lists the log, and reads only a summary of the newest version.
    """
    snapshot = newest_snapshot(spark, settings, name)
    if oldest_needed(snapshot):
        snapshot.numOfFiles()  # reads the checkpoint, too
        return
    kinds = {
        kind for _, actions in commits(spark, settings, name) for each in actions for kind in each
    }
    for kind in ("protocol", "metaData"):
        if kind not in kinds:
            raise TornCommit(f"no commit has the action {kind}")


def set_aside(spark: SparkSession, settings: Settings, tables: Iterable[str]) -> list[str]:
    """Rename the folders of tables that exist, and return where they are now.

    What was set aside before stays: it may hold the only rows of messages that Kafka has removed.
    """
    moved = []
    for name in tables:
        table = Storage(spark, table_uri(spark, settings, name))
        if table.exists():
            aside = _free_place(spark, f"{table.uri}{SET_ASIDE}")
            table.rename_to(aside)
            moved.append(aside.uri)
    forget_snapshots(spark)
    return moved


def tables_set_aside(spark: SparkSession, settings: Settings) -> list[str]:
    """Return where the tables are that repairs have set aside."""
    lake = Storage(spark, settings.lake)
    names = (name for name in sorted(lake.names()) if SET_ASIDE in name)
    return [f"{lake.uri}/{name}" for name in names if name.partition(SET_ASIDE)[0] in TABLES]


def _free_place(spark: SparkSession, uri: str) -> Storage:
    places = (Storage(spark, uri if n == 1 else f"{uri}-{n}") for n in count(1))
    return next(place for place in places if not place.exists())
