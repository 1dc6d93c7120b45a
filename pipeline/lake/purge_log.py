"""Remove a forgotten home from a table's transaction log.

The log holds more than file names: the smallest and largest device_id of each file, cut off after
some characters, and the condition of each DELETE. A new checkpoint takes the place of the older
ones; the commits stay, so that streams go on at the version where they are, but without statistics
and without the conditions that name the home.
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
    """Write a checkpoint, delete the older ones, and strip the commits of what may name the home.

    No other process may write to the table meanwhile. Safe to repeat.
    """
    snapshot = newest_snapshot(spark, settings, table)
    none = scala_none(spark)
    delta_log(spark, settings, table).checkpoint(snapshot, none)
    log = log_uri(spark, settings, table)
    newest = int(snapshot.version())
    mentioning = _commits_mentioning(spark, log, forgotten)
    for name in Storage(spark, log).names():
        version, _, kind = name.partition(".")
        if not version.isdigit():
            continue
        if kind == "json":
            _strip(spark, f"{log}/{name}", hides_conditions=name in mentioning)
        # A checksum file is a summary that Delta can do without, and has statistics as well.
        elif kind == "crc" or (kind.startswith("checkpoint") and int(version) < newest):
            Storage(spark, f"{log}/{name}").delete()
    forget_snapshots(spark)


def _commits_mentioning(spark: SparkSession, log: str, forgotten: Forgotten) -> set[str]:
    """Return the names of the commits that mention a forgotten id."""
    lines = spark.read.text(f"{literal_path(log)}/*.json").withColumn("file", F.input_file_name())
    files = lines.where(mentions_forgotten(F.col("value"), forgotten)).select("file").distinct()
    return {row["file"].rpartition("/")[2] for row in files.collect()}


def _strip(spark: SparkSession, uri: str, *, hides_conditions: bool) -> None:
    """Write a commit again if anything of it must go; its time stays as it was."""
    file = Storage(spark, uri)
    before = json_lines(file.read_text())
    after = [_stripped(line, hides_conditions=hides_conditions) for line in before]
    if after != before:
        modified = file.modified()
        file.write_text("".join(f"{line}\n" for line in after))
        file.set_modified(modified)


def _stripped(line: str, *, hides_conditions: bool) -> str:
    """Return a commit's line (JSON) without a file's statistics and an operation's condition.

    Neither changes which files the version has: Delta writes both for people and for skipping.
    """
    action = json.loads(line)
    is_changed = False
    for kind in ("add", "remove"):
        is_changed |= action.get(kind, {}).pop("stats", None) is not None
    parameters = action.get("commitInfo", {}).get("operationParameters", {})
    for name in ("predicate", "matchedPredicates", "notMatchedPredicates"):
        if hides_conditions and name in parameters:
            parameters[name], is_changed = HIDDEN, True
    return json.dumps(action, separators=(",", ":")) if is_changed else line
