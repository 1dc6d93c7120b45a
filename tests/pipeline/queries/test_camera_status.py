"""camera_status on real Delta tables and checkpoints: the newest row of each camera."""

import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from deltalake import DeltaTable
from pyspark.sql import SparkSession

from contract.errors import UserError
from pipeline.commands.delete_camera_status import delete_camera_status
from pipeline.lake.table_offset import TableOffset
from pipeline.queries import camera_status
from pipeline.running.backlog import Backlog, read_backlog
from tests.pipeline.queries.cameras import append, run_query_to_end, states, uncommit_last_batch
from tests.pipeline.queries.runs import new_settings
from tests.sample.lake import camera

pytestmark = [pytest.mark.spark, pytest.mark.kafka]


def test_an_older_message_never_replaces_a_newer_one_however_batches_are_cut(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    rows = [
        camera("late", 5, offset=7),
        camera("late", 3, offset=8, online=False),
        camera("tie", 1, offset=4, partition=1, online=False),
        camera("tie", 1, offset=5, partition=0),
        camera("same", 1, offset=2, partition=2),
        camera("same", 1, offset=3, partition=2, online=False),
        camera("one", 9, offset=1),
    ]
    expected = {"late": (7, True), "tie": (4, False), "same": (3, False), "one": (1, True)}
    for cuts in ([rows], [rows[::2], rows[1::2]]):
        with new_settings(bootstrap_servers) as settings:
            for part in cuts:
                append(settings, *part)
                run_query_to_end(spark, settings, camera_status)
            assert states(settings) == expected


def test_a_batch_that_runs_again_changes_nothing_and_deleted_rows_stop_nothing(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    with new_settings(bootstrap_servers) as settings:
        append(settings, camera("a", 0, offset=1), camera("gone", 0, offset=2))
        run_query_to_end(spark, settings, camera_status)
        status = f"{settings.lake}/camera_status"
        DeltaTable(status).delete("device_id = 'gone'")  # as `nest forget` does
        DeltaTable(f"{settings.lake}/camera").delete("device_id = 'gone'")
        uncommit_last_batch(settings, "camera_status")
        append(settings, camera("b", 0, offset=3))
        run_query_to_end(spark, settings, camera_status)
        assert states(settings) == {"a": (1, True), "b": (3, True)}
        assert spark.conf.get("spark.databricks.delta.write.txnAppId", None) is None
        properties = DeltaTable(status).metadata().configuration
        assert properties["delta.enableChangeDataFeed"] == "true"
        offset = TableOffset(
            "camera", DeltaTable(f"{settings.lake}/camera").metadata().id, 0, -1, False
        )
        sizes = DeltaTable(f"{settings.lake}/camera").get_add_actions()
        assert read_backlog(spark, settings, offset).files == 2
        assert read_backlog(spark, settings, offset._replace(version=3)) == Backlog(0, 0)
        assert read_backlog(
            spark, settings, offset._replace(version=2, is_initial=True)
        ) == Backlog(2, sum(sizes["size_bytes"].to_pylist()))


def test_a_start_gives_the_table_the_retention_of_now(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    with new_settings(bootstrap_servers) as settings:
        append(settings, camera("a", 0, offset=1))
        run_query_to_end(spark, settings, camera_status)
        longer = settings.model_copy(update={"version_retention": timedelta(days=3)})
        run_query_to_end(spark, longer, camera_status)
        properties = DeltaTable(f"{settings.lake}/camera_status").metadata().configuration
        assert properties["delta.logRetentionDuration"] == "interval 3 days"


def test_a_checkpoint_without_its_tables_is_refused_and_the_repair_builds_the_table_anew(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    with new_settings(bootstrap_servers) as settings:
        append(settings, camera("a", 0, offset=1))
        run_query_to_end(spark, settings, camera_status)
        elsewhere = settings.model_copy(update={"lake": f"{settings.lake}-2"})
        with pytest.raises(UserError, match=r"(?s)camera .*is gone.*nest repair camera_status"):
            camera_status.start(spark, elsewhere, once=True)
        assert not Path(elsewhere.lake).exists()
        shutil.rmtree(f"{settings.checkpoints}/camera_status")
        with pytest.raises(UserError, match=r"has rows, but the checkpoint .* is gone"):
            camera_status.start(spark, settings, once=True)
        append(settings, camera("a", 1, offset=2), camera("b", 0, offset=1))
        delete_camera_status(spark, settings)
        run_query_to_end(spark, settings, camera_status)
        assert states(settings) == {"a": (2, True), "b": (1, True)}
