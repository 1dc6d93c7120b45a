"""Remove a forgotten home from a table's transaction log.

The log holds more than file names: the smallest and largest device_id of each file, and the
condition of each DELETE. A new checkpoint takes the place of the older ones; the commits stay, so
that streams go on at the version where they are, but without what names the home.
"""

import json

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from contract.forgotten import Forgotten
from contract.json_shape import json_lines
from contract.redaction import HIDDEN
from contract.settings import Settings
from pipeline.lake.forgotten import mentions_forgotten
from pipeline.lake.snapshots import forget_snapshots
from pipeline.lake.tables import delta_log, log_uri, newest_snapshot
from pipeline.spark.java_classes import scala_none
from pipeline.spark.literal_path import literal_path
from pipeline.spark.storage import Storage


def purge_log(spark: SparkSession, settings: Settings, table: str, forgotten: Forgotten) -> None:
    """Write a checkpoint, delete the older ones, and strip the commits of what names the home.

    No other process may write to the table meanwhile. Safe to repeat.
    """
    snapshot = newest_snapshot(spark, settings, table)
    none = scala_none(spark)
    delta_log(spark, settings, table).checkpoint(snapshot, none)
    log = log_uri(spark, settings, table)
    newest = int(snapshot.version())
    for name in Storage(spark, log).names():
        version, _, kind = name.partition(".")
        if version.isdigit() and int(version) < newest and kind.startswith("checkpoint"):
            Storage(spark, f"{log}/{name}").delete()
    for name in _mentioning(spark, log, "crc", forgotten):
        Storage(spark, f"{log}/{name}").delete()  # a summary that Delta can do without
    for name in _mentioning(spark, log, "json", forgotten):
        _strip(spark, f"{log}/{name}")
    forget_snapshots(spark)


def _mentioning(spark: SparkSession, log: str, kind: str, forgotten: Forgotten) -> list[str]:
    """Return the names of the log's files of a kind that mention a forgotten id."""
    if not any(name.endswith(f".{kind}") for name in Storage(spark, log).names()):
        return []
    lines = spark.read.text(f"{literal_path(log)}/*.{kind}").withColumn("file", F.input_file_name())
    files = lines.where(mentions_forgotten(F.col("value"), forgotten)).select("file").distinct()
    return [row["file"].rpartition("/")[2] for row in files.collect()]


def _strip(spark: SparkSession, uri: str) -> None:
    """Write a commit again without statistics and conditions; its time stays as it was."""
    file = Storage(spark, uri)
    modified = file.modified()
    lines = json_lines(file.read_text())
    file.write_text("".join(f"{stripped_action(line)}\n" for line in lines))
    file.set_modified(modified)


def stripped_action(line: str) -> str:
    """Return a commit's line (JSON) without a file's statistics and an operation's condition.

    Neither changes which files the version has: Delta writes both for people and for skipping.
    """
    action = json.loads(line)
    for kind in ("add", "remove"):
        if kind in action:
            action[kind].pop("stats", None)
    parameters = action.get("commitInfo", {}).get("operationParameters", {})
    for name in ("predicate", "matchedPredicates", "notMatchedPredicates"):
        if name in parameters:
            parameters[name] = HIDDEN
    return json.dumps(action, separators=(",", ":"))
