"""The archive on real Kafka and Delta: each batch once in each table, whatever is repeated."""

import shutil
from pathlib import Path

import pytest
from deltalake import DeltaTable
from pyspark.sql import SparkSession

from contract.errors import UserError
from contract.settings import Settings
from pipeline.queries import archive
from tests.pipeline.queries.runs import ONCE, Send, new_settings, rows, run_to_end, send

pytestmark = [pytest.mark.spark, pytest.mark.kafka]


def archived(settings: Settings) -> tuple[list[str], list[str]]:
    """Return the devices in ``camera`` and the reasons in ``quarantine``."""
    devices = [row["device_id"] for row in rows(settings, "camera")]
    return sorted(devices), sorted(row["reason"] for row in rows(settings, "quarantine"))


def uncommit(settings: Settings, *batches: int) -> None:
    """Leave batches as a kill does that comes before their commit: planned, not committed."""
    for batch in batches:
        Path(f"{settings.checkpoints}/archive/commits/{batch}").unlink()


def test_a_batch_cut_off_between_the_two_tables_is_completed(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    with new_settings(bootstrap_servers) as run:
        send(bootstrap_servers, [(Send(0, 0, 0).value(), 0), (b"{", 1)])
        run_to_end(spark, run)
        uncommit(run, 0)
        shutil.rmtree(f"{run.lake}/quarantine")
        run_to_end(spark, run)
        assert archived(run) == (["cam0"], ["malformed"])


def test_a_batch_cut_off_after_both_tables_is_not_doubled(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    with new_settings(bootstrap_servers) as run:
        send(bootstrap_servers, [(Send(0, 0, 0).value(), 0), (b"{", 1)])
        run_to_end(spark, run)
        uncommit(run, 0)
        run_to_end(spark, run)
        assert archived(run) == (["cam0"], ["malformed"])


def test_the_query_goes_on_past_batches_that_delta_already_has(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    """Here the checkpoint is three batches behind the tables, as after restoring an old copy."""
    with new_settings(bootstrap_servers) as run:
        for camera in range(3):
            send(bootstrap_servers, [(Send(camera, 0, 0).value(), 0), (b"{", 1)])
            run_to_end(spark, run)
        uncommit(run, 0, 1, 2)
        for batch in (1, 2):
            Path(f"{run.checkpoints}/archive/offsets/{batch}").unlink()
        run_to_end(spark, run.model_copy(update={"max_offsets_per_trigger": 2}))
        assert archived(run) == (["cam0", "cam1", "cam2"], ["malformed"] * 3)


def test_a_batch_of_clean_records_leaves_the_quarantine_as_it_was(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    with new_settings(bootstrap_servers) as run:
        versions = []
        for value in (Send(0, 0, 0).value(), b"{", Send(1, 0, 0).value()):
            send(bootstrap_servers, [(value, 0)])
            run_to_end(spark, run)
            versions.append(DeltaTable(f"{run.lake}/quarantine").version())
        assert versions == [0, 1, 1]
        assert archived(run) == (["cam0", "cam1"], ["malformed"])


def test_archiving_again_without_the_checkpoint_is_refused(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    with new_settings(bootstrap_servers) as run:
        send(bootstrap_servers, [(Send(0, 0, 0).value(), 0)])
        run_to_end(spark, run)
        shutil.rmtree(f"{run.checkpoints}/archive")
        with pytest.raises(UserError, match="would double"):
            archive.start(spark, run, ONCE)
