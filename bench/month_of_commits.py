"""``python -m bench.month_of_commits``: the table camera through a month of small commits.

Commits are written as the archive's are, each with a file of its own and the time of the simulated
clock. Maintenance is the real one; Delta's clock is set for it. So a day takes minutes.
"""

import json
import os
import resource
import tempfile
import time
import uuid
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any

import typer
from deltalake import DeltaTable
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from bench.command import new_console, run_command
from contract.instants import format_instant, from_epoch_ms
from contract.lake import ARCHIVE_TABLES, CAMERA
from contract.settings import Settings, load_settings
from pipeline.lake.exactly_once import append_once
from pipeline.lake.snapshots import forget_snapshots
from pipeline.lake.table_layout import CHECKPOINT_INTERVAL
from pipeline.lake.tables import create_tables, delta_log, newest_snapshot, table_uri
from pipeline.maintenance.maintain import maintain_tables
from pipeline.schema import camera_table_schema
from pipeline.spark.session import build_session

_ROWS = 60


def main(
    *,
    days: Annotated[int, typer.Option(min=1, help="Simulated days.")] = 30,
    commits: Annotated[int, typer.Option(min=1, help="Commits a day.")] = 8640,
    maintenances: Annotated[int, typer.Option(min=1, help="Maintenances a day.")] = 24,
) -> None:
    """Print disk, files and memory after each day."""
    console = new_console()
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings().model_copy(update={"lake": f"{folder}/lake", "spark_ui_port": 0})
        spark = build_session(settings)
        create_tables(spark, settings)
        table = _Table(spark, settings)
        console.print("day  files  MB  files on disk  MB on disk  log files  log MB  delta-rs MB")
        per_run = commits // maintenances
        for day in range(days):
            for _ in range(maintenances):
                for _ in range(per_run):
                    table.commit(timedelta(days=1) / commits)
                table.maintain()
            console.print(f"{day + 1:>3}  {table.describe()}")
        spark.stop()


class _Table:
    """The table camera, and the simulated clock."""

    def __init__(self, spark: SparkSession, settings: Settings) -> None:
        self._spark, self._settings = spark, settings
        self._root = Path(settings.lake) / CAMERA
        self._log = self._root / "_delta_log"
        self._now = time.time() - 60 * 86_400
        columns = [
            F.lit(None).cast(field.dataType).alias(field.name)
            if field.name not in ("device_id", "partition", "offset", "timestamp")
            else {
                "device_id": F.concat(F.lit("device-"), F.col("id").cast("string")),
                "partition": F.lit(0),
                "offset": F.col("id"),
                "timestamp": F.timestamp_seconds(F.lit(int(self._now))),
            }[field.name]
            .cast(field.dataType)
            .alias(field.name)
            for field in camera_table_schema()
        ]
        rows = spark.range(_ROWS).select(*columns).coalesce(1)
        append_once(rows, CAMERA, settings=settings, query_id="q", batch_id=0)
        self._actions = [json.loads(line) for line in self._json(1).read_text().splitlines()]
        (data,) = self._root.glob("*.parquet")
        self._data = data.read_bytes()
        self._age(0)
        self._version = 1

    def commit(self, after: timedelta) -> None:
        """Write a batch's file and commit, so long after the one before."""
        self._now += after.total_seconds()
        self._version += 1
        name = f"part-00000-{uuid.uuid4()}-c000.zstd.parquet"
        milliseconds = int(self._now * 1000)
        moment = format_instant(from_epoch_ms(milliseconds))
        for action in self._actions:
            if "commitInfo" in action:
                action["commitInfo"] |= {"timestamp": milliseconds, "txnId": str(uuid.uuid4())}
            elif "txn" in action:
                action["txn"] |= {"version": self._version, "lastUpdated": milliseconds}
            elif "add" in action:
                stats = json.loads(action["add"]["stats"])
                for side in ("minValues", "maxValues"):
                    stats[side] |= {"offset": self._version * _ROWS, "timestamp": moment}
                action["add"] |= {
                    "path": name,
                    "modificationTime": milliseconds,
                    "stats": json.dumps(stats),
                }
        self._write(self._root / name, self._data)
        text = "".join(f"{json.dumps(action)}\n" for action in self._actions)
        self._write(self._json(self._version), text.encode())
        if self._version % CHECKPOINT_INTERVAL == 0:
            self._at_this_time()
            self._checkpoint()

    def maintain(self) -> None:
        """Maintain the table as the pipeline does, at the simulated time."""
        before = self._version
        self._at_this_time()
        maintain_tables(self._spark, self._settings)
        self._age(before)
        self._version = max(int(file.stem) for file in self._log.glob("*.json"))
        self._at_this_time()
        self._checkpoint()  # the removals with their simulated times

    def describe(self) -> str:
        """Return what the table takes now."""
        snapshot = newest_snapshot(self._spark, self._settings, CAMERA)
        data = [file.stat().st_size for file in self._root.glob("*.parquet")]
        log = [file.stat().st_size for file in self._log.rglob("*") if file.is_file()]
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        handle = DeltaTable(str(self._root))
        handle.get_add_actions()
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        return (
            f"{snapshot.numOfFiles():>5,} {snapshot.sizeInBytes() / 1e6:>6.1f} {len(data):>8,} "
            f"{sum(data) / 1e6:>8.1f} {len(log):>8,} {sum(log) / 1e6:>8.1f} {grown / 1024:>6.1f}"
        )

    def _json(self, version: int) -> Path:
        return self._log / f"{version:020d}.json"

    def _write(self, file: Path, content: bytes) -> None:
        file.write_bytes(content)
        os.utime(file, (self._now, self._now))

    def _age(self, version: int) -> None:
        """Give what Spark has just written the simulated time."""
        for commit in self._log.glob("*.json"):
            if int(commit.stem) > version:
                commit.write_text(_with_removals_at(commit.read_text(), int(self._now * 1000)))
                commit.with_name(f".{commit.name}.crc").unlink(missing_ok=True)
        for file in (*self._root.glob("*"), *self._log.glob("*")):
            if file.is_file() and file.stat().st_mtime > self._now + 86_400:
                os.utime(file, (self._now, self._now))

    def _at_this_time(self) -> None:
        """Let Delta see the log as it is on disk, by the simulated clock."""
        jvm: Any = self._spark.sparkContext._jvm
        forget_snapshots(self._spark)
        for name in ARCHIVE_TABLES:
            jvm.org.apache.spark.sql.delta.DeltaLog.forTable(
                self._spark._jsparkSession,
                jvm.org.apache.hadoop.fs.Path(table_uri(self._spark, self._settings, name)),
                jvm.org.apache.spark.util.ManualClock(int(self._now * 1000)),
            )

    def _checkpoint(self) -> None:
        none: Any = self._spark.sparkContext._jvm.scala.Option.empty()  # type: ignore[union-attr]
        snapshot = newest_snapshot(self._spark, self._settings, CAMERA)
        delta_log(self._spark, self._settings, CAMERA).checkpoint(snapshot, none)
        self._age(int(snapshot.version()))


def _with_removals_at(commit: str, milliseconds: int) -> str:
    lines = []
    for line in commit.splitlines():
        action = json.loads(line)
        if "remove" in action:
            action["remove"]["deletionTimestamp"] = milliseconds
        lines.append(json.dumps(action))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    run_command(main)
