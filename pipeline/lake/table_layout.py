"""How the Delta tables are laid out on disk: their clustering, and how long their log is kept."""

from collections.abc import Mapping
from datetime import timedelta

from pyspark.sql import SparkSession

from contract import lake
from contract.duration import format_duration
from contract.settings import STATUS_FILE_RETENTION, Settings
from pipeline.lake.snapshots import snapshot_at
from pipeline.lake.sql_name import sql_name

CLUSTERING = {
    lake.CAMERA: ("device_id", "timestamp"),
    lake.QUARANTINE: ("timestamp",),
}
"""By table, the columns that people filter by. OPTIMIZE puts rows that are near in all of them into
the same file (liquid clustering), and a filter then opens few files. Appends do not cluster."""

CHECKPOINT_INTERVAL = 60
"""Commits between two checkpoints of a table's log: ten minutes at the default trigger.

Before each append Delta looks up the query's last batch, and reads the newest checkpoint and every
commit after it for that: 4 ms for each. Each checkpoint lists every file of the table, and those
removed within the retention. Delta's default of 10 would keep nearly a gigabyte of them.
"""


def file_retention(settings: Settings, table: str) -> timedelta:
    """Return how long VACUUM keeps the replaced files of a table."""
    return STATUS_FILE_RETENTION if table == lake.CAMERA_STATUS else settings.version_retention


def layout_properties(settings: Settings, table: str) -> dict[str, str]:
    """Return the table properties by which a table's log is cleaned, and its files by VACUUM.

    ``delta.setTransactionRetentionDuration`` is not among them: a query's last batch must never be
    forgotten, or the batch could be written twice.
    """
    return {
        "delta.checkpointInterval": str(CHECKPOINT_INTERVAL),
        # Delta would clean the log itself with each checkpoint, and not ask whether the stream on
        # the table still needs a commit: maintenance does it.
        "delta.enableExpiredLogCleanup": "false",
        "delta.logRetentionDuration": f"interval {format_duration(settings.version_retention)}",
        "delta.deletedFileRetentionDuration": (
            f"interval {format_duration(file_retention(settings, table))}"
        ),
    }


def ensure_layout(spark: SparkSession, uri: str, properties: Mapping[str, str]) -> None:
    """Set a table's properties, in one commit, if one of them differs.

    Such a commit makes others that are under way fail, so only the table's own writer does it, or
    somebody who excludes the writers. Clustering is left as it is: Delta 4.4 cannot change it on
    this Spark, so a table of an older version is compacted without it.
    """
    found = snapshot_at(spark, uri).metadata().configuration()  # a Scala Map
    if any(
        not found.contains(key) or found.apply(key) != value for key, value in properties.items()
    ):
        # All of them: Delta compares the two retentions with each other, and takes its own default
        # of seven days for one that the statement leaves out.
        assignments = ", ".join(f"'{key}' = '{value}'" for key, value in properties.items())
        spark.sql(f"ALTER TABLE {sql_name(uri)} SET TBLPROPERTIES ({assignments})")
