"""Maintenance merges files and bounds the log, and nobody who reads or writes notices."""

import os
import threading
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest
from deltalake import DeltaTable
from pyspark.sql import SparkSession

from contract.errors import UserError
from contract.settings import Settings
from pipeline.commands.restore_table import restore_table
from pipeline.lake import table_layout
from pipeline.lake.commits import last_batch
from pipeline.lake.tables import create_tables, ensure_layouts, table_uri
from pipeline.maintenance import maintain
from pipeline.maintenance.maintain import maintain_tables
from pipeline.queries import camera_status
from pipeline.schema import camera_table_schema
from tests.pipeline.maintenance.batches import append
from tests.pipeline.queries.cameras import run_query_to_end

pytestmark = pytest.mark.spark

DAY_S = 86_400


@pytest.fixture
def settings(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A lake whose table camera has four batches, each a file of two rows."""
    monkeypatch.setattr(table_layout, "CHECKPOINT_INTERVAL", 3)
    settings = Settings(lake=str(tmp_path / "lake"), checkpoints=str(tmp_path / "checkpoints"))
    create_tables(spark, settings)
    for batch in range(4):
        append(spark, settings, batch)
    return settings


def offsets(settings: Settings, version: int | None = None) -> list[int]:
    """The offsets in the table, as delta-rs and DuckDB read it."""
    data = DeltaTable(f"{settings.lake}/camera", version=version).to_pyarrow_dataset()
    with duckdb.connect() as engine:
        engine.register("data", data)
        return [row[0] for row in engine.sql('SELECT "offset" FROM data ORDER BY 1').fetchall()]


def test_files_are_merged_and_removed_and_the_rows_stay_as_they_were(
    spark: SparkSession, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A query that starts meanwhile has the options of its own session."""
    before, meanwhile = maintenance_options(spark), []

    def uri(*arguments: Any) -> str:
        meanwhile.append(maintenance_options(spark))
        return table_uri(*arguments)

    monkeypatch.setattr(maintain, "table_uri", uri)
    camera, quarantine = maintain_tables(spark, settings, retention_hours=0)
    assert meanwhile
    assert all(each == before for each in meanwhile)
    assert (camera.table, quarantine.table) == ("camera", "quarantine")
    assert camera.failure is quarantine.failure is None
    assert (camera.before.files, camera.before.stored_files) == (4, 4)
    assert (camera.after.files, camera.after.stored_files) == (1, 1)
    assert offsets(settings) == list(range(8))
    append(spark, settings, 3)  # a batch that is run again
    append(spark, settings, 4)
    assert offsets(settings) == list(range(10))


def test_a_lake_may_be_in_a_folder_with_a_backtick(spark: SparkSession, tmp_path: Path) -> None:
    settings = Settings(lake=str(tmp_path / "it`s"), checkpoints=str(tmp_path / "checkpoints"))
    create_tables(spark, settings)
    append(spark, settings, 0)
    append(spark, settings, 1)
    version = DeltaTable(f"{settings.lake}/camera").version()
    longer = settings.model_copy(update={"version_retention": timedelta(days=40)})
    ensure_layouts(spark, longer, ["camera"])
    assert DeltaTable(f"{settings.lake}/camera").version() == version + 1
    assert [each.failure for each in maintain_tables(spark, settings)] == [None, None]
    restore_table(spark, settings, "camera", version - 1)
    assert offsets(settings) == [0, 1]


def maintenance_options(spark: SparkSession) -> dict[str, str | None]:
    """The values in a session of the options that maintenance sets in one of its own."""
    return {key: spark.conf.get(key, None) for key in maintain._CONF}


def test_no_table_is_begun_once_it_is_told_to_stop(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(lake=str(tmp_path / "lake"))
    create_tables(spark, settings)
    stopping, begun = threading.Event(), []

    def cut_off(spark: SparkSession, settings: Settings, table: str) -> None:
        begun.append(table)
        stopping.set()
        raise RuntimeError("the job was cancelled")

    monkeypatch.setattr(maintain, "table_storage", cut_off)
    (camera,) = maintain_tables(spark, settings, stopping=stopping)
    assert begun == [camera.table] == ["camera"]
    assert camera.failure == "the job was cancelled"


def test_the_log_is_cut_off_after_the_retention_and_no_batch_is_forgotten(
    spark: SparkSession, settings: Settings
) -> None:
    log = Path(settings.lake) / "camera" / "_delta_log"
    month_ago = time.time() - 30 * DAY_S
    for file in log.glob("*.json"):
        if int(file.stem) <= 2:
            os.utime(file, (month_ago, month_ago))
    append(spark, settings, 4)
    append(spark, settings, 5)  # the table's sixth version: a checkpoint
    maintain_tables(spark, settings)
    assert min(int(file.stem) for file in log.glob("*.json")) >= 3
    assert last_batch(spark, settings, "camera", "query") == 5
    append(spark, settings, 5)
    assert offsets(settings) == list(range(12))
    assert offsets(settings, version=4) == list(range(8))


def test_a_table_of_an_older_version_gets_the_layout_once(
    spark: SparkSession, tmp_path: Path
) -> None:
    settings = Settings(lake=str(tmp_path))
    uri = f"{tmp_path}/camera"
    (
        spark.createDataFrame([], camera_table_schema())
        .write.format("delta")
        .option("delta.dataSkippingStatsColumns", "partition,offset,timestamp,device_id")
        .save(uri)
    )
    for _ in range(2):
        ensure_layouts(spark, settings, ["camera"])
    table = DeltaTable(uri)
    assert table.version() == 1
    properties = table.metadata().configuration
    assert properties["delta.logRetentionDuration"] == "interval 2 days"
    assert properties["delta.deletedFileRetentionDuration"] == "interval 2 days"
    assert all(each.failure is None for each in maintain_tables(spark, settings))


def test_a_lake_without_tables_is_an_error(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="There is no table in NEST_LAKE"):
        maintain_tables(spark, Settings(lake=str(tmp_path)))


def test_nothing_is_deleted_that_the_stream_on_a_table_has_yet_to_read(
    spark: SparkSession, tmp_path: Path
) -> None:
    settings = Settings(lake=str(tmp_path / "lake"), checkpoints=str(tmp_path / "checkpoints"))
    create_tables(spark, settings)
    append(spark, settings, 0)
    run_query_to_end(spark, settings, camera_status)
    append(spark, settings, 1)
    unread = DeltaTable(f"{settings.lake}/camera").version()
    commit = tmp_path / "lake" / "camera" / "_delta_log" / f"{unread:020}.json"
    long_ago = time.time() - 3 * DAY_S
    os.utime(commit, (long_ago, long_ago))
    camera, *_ = maintain_tables(spark, settings)
    assert camera.failure == (
        f"the query camera_status has not read version {unread} yet, whose files VACUUM would "
        "delete. It is done after the pipeline has caught up."
    )
    assert len(DeltaTable(f"{settings.lake}/camera").file_uris()) == 1, "they are merged"
    run_query_to_end(spark, settings, camera_status)
    assert [each.failure for each in maintain_tables(spark, settings)] == [None] * 3


def test_a_stream_goes_on_after_a_pause_that_is_longer_than_the_log_is_kept(
    spark: SparkSession, settings: Settings
) -> None:
    """It has read everything. But Spark asks the source once more for its last batch."""
    run_query_to_end(spark, settings, camera_status)
    append(spark, settings, 4)
    run_query_to_end(spark, settings, camera_status)
    log, week_ago = Path(settings.lake) / "camera" / "_delta_log", time.time() - 7 * DAY_S
    for file in log.iterdir():
        os.utime(file, (week_ago, week_ago))
    append(spark, settings, 5)  # the table's sixth version: a checkpoint
    assert (log / f"{6:020}.checkpoint.parquet").exists()
    camera, *_ = maintain_tables(spark, settings)
    assert camera.failure is None
    run_query_to_end(spark, settings, camera_status)
    maintain_tables(spark, settings)
    run_query_to_end(spark, settings, camera_status)
    newest = DeltaTable(f"{settings.lake}/camera_status").to_pyarrow_table()
    assert sorted(newest["offset"].to_pylist()) == [10, 11]
    assert not (log / f"{1:020}.json").exists(), "what nobody needs is cleaned all the same"
