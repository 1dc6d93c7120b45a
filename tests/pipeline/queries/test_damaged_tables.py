"""A table whose log is damaged, or that is an older copy, is refused and made right by a repair."""

from pathlib import Path

import pytest
from deltalake import DeltaTable
from kafka import KafkaConsumer
from pyspark.sql import SparkSession

from check import run_check
from contract.errors import UserError
from contract.kafka.connections import open_admin, open_consumer, partitions_of
from contract.settings import Settings
from contract.topics import NEST_LOGS
from pipeline.commands.complete_archive import complete_archive, set_archive_aside
from pipeline.commands.delete_camera_status import delete_camera_status
from pipeline.commands.messages_gone import require_all_messages
from pipeline.commands.restore_table import restore_table
from pipeline.lake.restores import newest_restores
from pipeline.lake.snapshots import forget_snapshots
from pipeline.queries import alerts, archive, camera_status
from tests.pipeline.queries.cameras import run_query_to_end, states
from tests.pipeline.queries.commit_files import commits_of, delete, tear
from tests.pipeline.queries.runs import Send, new_settings, rows, run_to_end, send
from tests.pipeline.queries.shared_runs import SharedRun, shared_run

pytestmark = [pytest.mark.spark, pytest.mark.kafka]


def archive_three_batches(spark: SparkSession, settings: Settings) -> None:
    cameras = [(Send(camera, 0, 0).value(), 0) for camera in range(3)]
    records = [record for camera in cameras for record in (camera, (b"{", 1))]
    send(settings.bootstrap_servers, records, key=b"home")
    two_each = settings.model_copy(update={"max_offsets_per_trigger": 2})
    archive.start(spark, two_each, once=True).awaitTermination()


three_batches = shared_run(archive_three_batches)


@pytest.fixture
def settings(three_batches: SharedRun) -> Settings:
    """Three batches, each with a camera and a record that is none."""
    return three_batches.copy()


@pytest.mark.parametrize("checksum", [True, False])
def test_a_torn_commit_that_a_checkpoint_of_the_log_replaces_stops_nothing(
    spark: SparkSession, settings: Settings, checksum: bool
) -> None:
    DeltaTable(f"{settings.lake}/camera").create_checkpoint()
    restore_table(spark, settings, "quarantine", 1)
    commit = commits_of(settings)[1]
    commit.write_bytes(commit.read_bytes()[:100])
    if not checksum:
        tear(commit)
    forget_snapshots(spark)
    assert newest_restores(spark, settings) == {"quarantine": 4}


def test_a_damaged_camera_status_is_built_anew(spark: SparkSession, settings: Settings) -> None:
    run_query_to_end(spark, settings, camera_status)
    tear(commits_of(settings, "camera_status")[-1])
    forget_snapshots(spark)
    with pytest.raises(UserError, match=r"(?s)is damaged: .*nest repair camera_status"):
        camera_status.start(spark, settings, once=True)
    delete_camera_status(spark, settings)
    forget_snapshots(spark)
    run_query_to_end(spark, settings, camera_status)
    assert set(states(settings)) == {"cam0", "cam1", "cam2"}


def test_an_older_copy_of_a_table_that_a_stream_has_read_is_refused(
    spark: SparkSession, settings: Settings
) -> None:
    for query in (camera_status, alerts):
        run_query_to_end(spark, settings, query)
    delete(commits_of(settings, "camera_status")[-1])
    forget_snapshots(spark)
    with pytest.raises(UserError, match=r"camera_status .*lacks what.*nest repair camera_status"):
        camera_status.start(spark, settings, once=True)
    with pytest.raises(UserError, match=r"camera_status .*older copy.*nest repair alerts"):
        alerts.start(spark, settings, once=True)
    delete(commits_of(settings)[-1])
    forget_snapshots(spark)
    with pytest.raises(UserError, match=r"camera .*older copy.*nest repair camera_status"):
        camera_status.start(spark, settings, once=True)
    assert complete_archive(spark, settings) == (1, 0)
    forget_snapshots(spark)
    for query in (camera_status, alerts):
        for _ in range(2):
            run_query_to_end(spark, settings, query)
    assert set(states(settings)) == {"cam0", "cam1", "cam2"}


def test_a_damaged_log_is_named_and_new_tables_hold_every_row(
    spark: SparkSession, three_batches: SharedRun
) -> None:
    for damage, commit in ((delete, -2), (tear, -1), (tear, 0)):
        settings = three_batches.copy()
        damage(commits_of(settings)[commit])
        forget_snapshots(spark)
        with pytest.raises(UserError, match=r"(?s)camera is damaged: .*archive --new-tables"):
            archive.start(spark, settings, once=True)
        with pytest.raises(UserError, match="is damaged"):
            complete_archive(spark, settings)
        assert [Path(uri).name for uri in set_archive_aside(spark, settings)] == [
            "camera.set-aside",
            "quarantine.set-aside",
        ]
        assert complete_archive(spark, settings) == (3, 3)
    send(settings.bootstrap_servers, [(Send(3, 0, 0).value(), 0)])
    run_to_end(spark, settings)
    assert sorted(row["device_id"] for row in rows(settings, "camera")) == [
        f"cam{n}" for n in range(4)
    ]
    assert run_check(settings).holds


def test_an_older_copy_of_the_table_is_refused_and_repaired(
    spark: SparkSession, settings: Settings
) -> None:
    delete(commits_of(settings)[-1])
    forget_snapshots(spark)
    with pytest.raises(UserError, match=r"lacks what .* up to 1, .* has 2.*nest repair archive"):
        archive.start(spark, settings, once=True)
    assert complete_archive(spark, settings) == (1, 0)
    send(settings.bootstrap_servers, [(Send(3, 0, 0).value(), 0)])
    run_to_end(spark, settings)
    assert run_check(settings).holds


def test_new_tables_are_refused_where_messages_are_gone(bootstrap_servers: str) -> None:
    def beginning(consumer: KafkaConsumer) -> int:
        return sum(consumer.beginning_offsets(partitions_of(consumer, NEST_LOGS.name)).values())

    with new_settings(bootstrap_servers) as settings:
        send(bootstrap_servers, [(Send(camera, 0, 0).value(), 0) for camera in range(3)])
        with open_consumer(bootstrap_servers) as consumer:
            ends = consumer.end_offsets(partitions_of(consumer, NEST_LOGS.name))
            with open_admin(bootstrap_servers) as admin:
                admin.delete_records({tp: 1 for tp, end in ends.items() if end})
            gone = beginning(consumer)
        with pytest.raises(UserError, match=f"lost {gone} messages, .*--force"):
            require_all_messages(settings)


def test_what_a_kill_left_of_a_first_batch_does_not_keep_the_query_from_starting(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    with new_settings(bootstrap_servers) as settings:
        send(bootstrap_servers, [(Send(0, 0, 0).value(), 0)])
        for query in ("archive", "stats"):
            checkpoint = Path(settings.checkpoints) / query
            (checkpoint / "offsets").mkdir(parents=True)
            (checkpoint / "commits").mkdir()
            (checkpoint / "offsets" / ".0.2e08f976.tmp").touch()  # killed while it was written
            (checkpoint / "metadata").write_text('{"id":"eb848148-dd83-4e5f-9b4c-1b0591b1f2a4"}')
        run_to_end(spark, settings)
        assert [row["device_id"] for row in rows(settings, "camera")] == ["cam0"]
