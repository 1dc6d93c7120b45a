"""The running pipeline maintains its tables by itself."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from deltalake import DeltaTable
from pyspark.sql import SparkSession
from rich.console import Console

from contract.polling import poll_until
from contract.settings import Settings
from pipeline.lake.tables import create_tables
from pipeline.maintenance import schedule
from pipeline.maintenance.request import next_request, request_maintenance
from pipeline.maintenance.schedule import scheduled_maintenance
from pipeline.single_writer.lock import pipeline_lock
from tests.pipeline.maintenance.batches import append


@pytest.mark.spark
def test_small_files_are_merged_each_time_that_the_interval_is_over(
    spark: SparkSession, tmp_path: Path
) -> None:
    settings = Settings(
        lake=str(tmp_path / "lake"),
        checkpoints=str(tmp_path / "checkpoints"),
        maintenance_interval=timedelta(seconds=1),
    )
    create_tables(spark, settings)
    for batch in range(4):
        append(spark, settings, batch)
    said = StringIO()
    with scheduled_maintenance(spark, settings, Console(file=said)):
        poll_until(
            lambda: "camera: files before 4, after 1" in said.getvalue(), "the first merge", 120
        )
        assert _rows_in_each_file(settings) == [8]
        append(spark, settings, 4)
        # Not by the words: a round that had counted the files before says something else.
        poll_until(lambda: _rows_in_each_file(settings) == [10], "the second merge", 120)


def _rows_in_each_file(settings: Settings) -> list[int]:
    files = DeltaTable(f"{settings.lake}/camera").get_add_actions()
    rows: list[int] = files["num_records"].to_pylist()
    return rows


@pytest.mark.spark
@pytest.mark.parametrize("document", ["{}", '{"id": 1, "retention_hours": null}'])
def test_a_document_that_is_no_request_is_said_once_and_the_next_request_is_answered(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, document: str
) -> None:
    monkeypatch.setattr(schedule, "maintain_tables", lambda *_, **__: [])
    settings = Settings(checkpoints=str(tmp_path), maintenance_interval=timedelta(0))
    (tmp_path / "maintenance.request.x").write_text(document)
    said = StringIO()
    with (
        pipeline_lock(settings),
        scheduled_maintenance(spark, settings, Console(file=said, width=1000)),
    ):
        poll_until(lambda: "was no request" in said.getvalue(), "a word about it", 20)
        assert request_maintenance(settings, 48, timeout=20) == []
    assert said.getvalue().count("maintenance failed") == 1


@pytest.mark.spark
def test_a_request_that_a_killed_pipeline_had_taken_is_answered_by_the_next_one(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schedule, "maintain_tables", lambda *_, **__: [])
    settings = Settings(checkpoints=str(tmp_path), maintenance_interval=timedelta(0))
    with pipeline_lock(settings), ThreadPoolExecutor() as pool:
        asking = pool.submit(request_maintenance, settings, 48, timeout=20)
        poll_until(lambda: next_request(settings), "the request", 20)
        with scheduled_maintenance(spark, settings, Console(quiet=True)):
            assert asking.result(30) == []
    assert [*tmp_path.glob("maintenance.*")] == []
