"""The archive on real Kafka and Delta: each batch once in each table, whatever is repeated."""

import json
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from deltalake import DeltaTable
from kafka.admin import NewPartitions
from pyspark.sql import SparkSession

from check import run_check
from contract.errors import UserError
from contract.kafka.bounded_read import records_in_topic
from contract.kafka.connections import open_admin, open_consumer, partitions_of
from contract.lake import ARCHIVE_TABLES, CAMERA, CAMERA_STATUS, QUARANTINE, TABLES
from contract.polling import poll_until
from contract.settings import Settings
from contract.topics import CAMERA_ALERTS, NEST_LOGS, PIPELINE_PROGRESS
from pipeline.commands import complete_archive as complete_module
from pipeline.commands.complete_archive import complete_archive, set_archive_aside
from pipeline.commands.delete_counts import delete_counts
from pipeline.commands.forget import forget
from pipeline.commands.restore_table import restore_table
from pipeline.lake.snapshots import forget_snapshots
from pipeline.lake.tables import create_tables
from pipeline.parsing.rejection_counter import RejectionCounter
from pipeline.queries import alerts, archive, camera_status, stats
from pipeline.source import read_records
from tests.fixtures.kafka import renew_topics
from tests.pipeline.queries.runs import Send, rows, run_to_end, send
from tests.pipeline.queries.shared_runs import SharedRun, shared_run

pytestmark = [pytest.mark.spark, pytest.mark.kafka]

archive_to_end = partial(run_to_end, queries=(archive,))


def archived(settings: Settings) -> tuple[list[str], list[str]]:
    """Return the devices in ``camera`` and the reasons in ``quarantine``."""
    devices = [row["device_id"] for row in rows(settings, "camera")]
    return sorted(devices), sorted(row["reason"] for row in rows(settings, "quarantine"))


def uncommit(settings: Settings, *batches: int) -> None:
    """Leave batches as a kill does that comes before their commit: planned, not committed."""
    for batch in batches:
        Path(f"{settings.checkpoints}/archive/commits/{batch}").unlink()


def undo_last_commit(spark: SparkSession, settings: Settings, table: str) -> None:
    """Leave a table as a kill does that comes before its newest commit."""
    log = Path(f"{settings.lake}/{table}/_delta_log")
    newest = max(path.stem for path in log.glob("*.json"))
    for file in (*log.glob(f"{newest}.*"), *log.glob(f".{newest}.*")):
        file.unlink()
    forget_snapshots(spark)


def repaired(half_archived: Settings) -> Settings:
    """The same run after a repair, in a lake and with checkpoints beside it."""
    beside = {name: f"{getattr(half_archived, name)}-repaired" for name in ("lake", "checkpoints")}
    return half_archived.model_copy(update=beside)


def archive_one_batch(spark: SparkSession, settings: Settings) -> None:
    send(settings.bootstrap_servers, [(Send(0, 0, 0).value(), 0), (b"{", 1)])
    archive_to_end(spark, settings)


first_batch = shared_run(archive_one_batch)


@pytest.fixture
def archived_once(first_batch: SharedRun) -> Settings:
    """A run with one batch: a camera, and a record that is none."""
    return first_batch.copy()


def archive_two_batches(spark: SparkSession, settings: Settings) -> None:
    each_two = settings.model_copy(update={"max_offsets_per_trigger": 2})
    records = [(Send(0, 0, 0).value(), 0), (b"{", 1), (Send(1, 0, 0).value(), 0), (b"{", 1)]
    send(settings.bootstrap_servers, records, key=b"home")
    archive_to_end(spark, each_two)


two_batches = shared_run(archive_two_batches)


@pytest.fixture
def archived_twice(two_batches: SharedRun) -> Settings:
    """A run with two batches, each like that one."""
    return two_batches.copy()


def archive_half(spark: SparkSession, settings: Settings) -> None:
    """Archive a batch, repair a copy of that beside it, and send two records more."""
    send(settings.bootstrap_servers, [(Send(0, 0, 0).value(), 0)])
    archive_to_end(spark, settings)
    after_repair = repaired(settings)
    shutil.copytree(settings.lake, after_repair.lake)
    shutil.copytree(settings.checkpoints, after_repair.checkpoints)
    complete_archive(spark, after_repair)
    send(settings.bootstrap_servers, [(Send(1, 0, 0).value(), 0), (b"{", 1)])


half_archived = shared_run(archive_half)


def test_a_batch_cut_off_between_the_two_tables_is_completed(
    spark: SparkSession, archived_once: Settings
) -> None:
    uncommit(archived_once, 0)
    undo_last_commit(spark, archived_once, "quarantine")
    archive_to_end(spark, archived_once)
    assert archived(archived_once) == (["cam0"], ["malformed"])


def test_a_batch_cut_off_after_both_tables_is_not_doubled(
    spark: SparkSession, archived_once: Settings
) -> None:
    uncommit(archived_once, 0)
    archive_to_end(spark, archived_once)
    assert archived(archived_once) == (["cam0"], ["malformed"])


def test_a_torn_file_of_what_the_archive_began_with_is_named_and_repaired(
    spark: SparkSession, archived_once: Settings
) -> None:
    Path(f"{archived_once.checkpoints}/archive.origin").write_text("{")
    with pytest.raises(UserError, match=r"archive.origin is torn.*nest repair archive"):
        archive.start(spark, archived_once, once=True)
    assert complete_archive(spark, archived_once) == (0, 0)
    Path(f"{archived_once.checkpoints}/archive.starting_offsets").write_text("")
    with pytest.raises(UserError, match="would double"):
        archive.start(spark, archived_once, once=True)
    assert complete_archive(spark, archived_once) == (0, 0)
    archive_to_end(spark, archived_once)
    assert archived(archived_once) == (["cam0"], ["malformed"])


def test_no_table_is_begun_in_the_place_of_one_that_is_gone_under_a_running_query(
    spark: SparkSession, archived_once: Settings
) -> None:
    settings = archived_once
    shutil.rmtree(settings.lake)
    counter = RejectionCounter(spark, settings.clock_skew)
    with pytest.raises(FileNotFoundError, match="camera is gone"):
        archive.write_batch(
            read_records(spark, settings), 1, settings=settings, counter=counter, forgotten=None
        )
    assert not Path(settings.lake).exists()


def test_a_kill_while_the_tables_are_created_stops_nothing(
    spark: SparkSession, settings: Settings
) -> None:
    for table in TABLES:
        Path(f"{settings.lake}/{table}/_delta_log").mkdir(parents=True)
    send(settings.bootstrap_servers, [(Send("cam0", 0, 0).value(), 0), (b"{", 1)])
    run_to_end(spark, settings, queries=(archive, camera_status))
    tables = (CAMERA, QUARANTINE, CAMERA_STATUS)
    assert [len(rows(settings, table)) for table in tables] == [1, 1, 1]


def test_another_table_in_the_place_of_the_archive_is_refused(
    spark: SparkSession, archived_once: Settings
) -> None:
    shutil.rmtree(f"{archived_once.lake}/camera")
    create_tables(spark, archived_once)
    with pytest.raises(UserError, match=r"table camera .* is another one"):
        archive.start(spark, archived_once, once=True)


def test_archiving_again_without_the_checkpoint_is_refused(
    spark: SparkSession, archived_once: Settings
) -> None:
    shutil.rmtree(f"{archived_once.checkpoints}/archive")
    with pytest.raises(UserError, match="would double"):
        archive.start(spark, archived_once, once=True)
    assert complete_archive(spark, archived_once) == (0, 0)
    archive_to_end(spark, archived_once)
    assert archived(archived_once) == (["cam0"], ["malformed"])


def test_new_tables_begin_with_the_first_message_though_a_repair_has_kept_another_start(
    spark: SparkSession, archived_once: Settings
) -> None:
    complete_archive(spark, archived_once)
    set_archive_aside(spark, archived_once)  # and a kill before the repair that writes the new ones
    archive_to_end(spark, archived_once)
    assert archived(archived_once) == (["cam0"], ["malformed"])
    # Again: what was set aside before may hold the only rows of messages that are gone.
    assert [Path(uri).name for uri in set_archive_aside(spark, archived_once)] == [
        "camera.set-aside-2",
        "quarantine.set-aside-2",
    ]


def test_a_repaired_archive_goes_on_with_partitions_that_were_added_since(
    spark: SparkSession, archived_once: Settings
) -> None:
    complete_archive(spark, archived_once)
    with open_admin(archived_once.kafka) as admin, open_consumer(archived_once.kafka) as consumer:
        count = NEST_LOGS.partitions + 1
        admin.create_partitions({NEST_LOGS.name: NewPartitions(count)})
        poll_until(lambda: len(partitions_of(consumer, NEST_LOGS.name)) == count, "the new one", 30)
    of_the_new_partition = b"home7"
    send(archived_once.bootstrap_servers, [(b"{", 0)], of_the_new_partition)
    archive_to_end(spark, archived_once)
    assert archived(archived_once) == (["cam0"], ["malformed"] * 2)
    assert NEST_LOGS.partitions in {row["partition"] for row in rows(archived_once, "quarantine")}


def test_a_table_restored_after_a_repair_is_refused_at_the_next_start(
    spark: SparkSession, archived_once: Settings
) -> None:
    complete_archive(spark, archived_once)
    restore_table(spark, archived_once, "camera", 0)
    with pytest.raises(UserError, match=r"camera was restored .*nest repair archive"):
        archive.start(spark, archived_once, once=True)


def test_a_lake_that_is_gone_is_refused_and_written_again_by_the_repair(
    spark: SparkSession, archived_once: Settings
) -> None:
    settings = archived_once
    elsewhere = settings.model_copy(update={"lake": f"{settings.lake}-2"})
    with pytest.raises(UserError, match=r"(?s)NEST_LAKE=.*is gone.*nest repair archive"):
        archive.start(spark, elsewhere, once=True)
    assert complete_archive(spark, elsewhere) == (1, 1)
    send(settings.bootstrap_servers, [(Send(1, 0, 0).value(), 0)])
    archive_to_end(spark, elsewhere)
    assert archived(elsewhere) == (["cam0", "cam1"], ["malformed"])


def test_an_older_checkpoint_is_refused_and_repaired(
    spark: SparkSession, archived_once: Settings
) -> None:
    settings = archived_once.model_copy(update={"max_offsets_per_trigger": 2})
    older = Path(settings.checkpoints).with_name("older")
    shutil.copytree(f"{settings.checkpoints}/archive", older)
    two_batches = [(Send(1, 0, 0).value(), 0), (b"{", 1), (Send(2, 0, 0).value(), 0), (b"{", 1)]
    send(settings.bootstrap_servers, two_batches, key=b"home")
    archive_to_end(spark, settings)
    shutil.rmtree(f"{settings.checkpoints}/archive")
    older.rename(f"{settings.checkpoints}/archive")
    with pytest.raises(UserError, match=r"(?s)older than the table.*up to 0.*batch 2.*repair"):
        archive.start(spark, settings, once=True)
    assert complete_archive(spark, settings) == (0, 0)
    send(settings.bootstrap_servers, [(Send(3, 0, 0).value(), 0), (b"{", 1)])
    archive_to_end(spark, settings)
    assert archived(settings) == (["cam0", "cam1", "cam2", "cam3"], ["malformed"] * 4)


def test_a_checkpoint_that_is_older_than_the_quarantine_alone_is_refused_and_repaired(
    spark: SparkSession, archived_twice: Settings
) -> None:
    """A backup of files, made while a batch was written, may hold them so."""
    for kind in ("offsets", "commits"):
        Path(f"{archived_twice.checkpoints}/archive/{kind}/1").unlink()
    undo_last_commit(spark, archived_twice, "camera")
    with pytest.raises(UserError, match=r"older than the table quarantine.*up to 0.*batch 1"):
        archive.start(spark, archived_twice, once=True)
    assert complete_archive(spark, archived_twice) == (1, 0)
    archive_to_end(spark, archived_twice)
    assert archived(archived_twice) == (["cam0", "cam1"], ["malformed"] * 2)


def test_torn_checkpoint_files_are_named_and_repaired(
    spark: SparkSession, archived_twice: Settings
) -> None:
    undo_last_commit(spark, archived_twice, "quarantine")
    names = ("offsets/1", "offsets/0", "commits/1", "metadata")
    files = [Path(f"{archived_twice.checkpoints}/archive/{name}") for name in names]
    for name, file in zip(names, files, strict=True):
        whole = file.read_bytes()
        file.write_bytes(b"")
        with pytest.raises(UserError, match=f"{name} is torn.*nest repair archive"):
            archive.start(spark, archived_twice, once=True)
        file.write_bytes(whole)
    for file in files:
        file.write_bytes(b"")
    assert complete_archive(spark, archived_twice) == (0, 1)
    archive_to_end(spark, archived_twice)
    assert archived(archived_twice) == (["cam0", "cam1"], ["malformed"] * 2)


@pytest.mark.parametrize("had_a_repair", [False, True])
def test_a_repair_that_is_cut_off_at_each_step_doubles_nothing(
    spark: SparkSession,
    half_archived: SharedRun,
    monkeypatch: pytest.MonkeyPatch,
    had_a_repair: bool,
) -> None:
    settings = half_archived.copy(of=repaired if had_a_repair else None)
    for cut_off_at, reasons in (
        ("_append_missing", []),  # of quarantine, after that of camera
        ("keep_repaired_start", ["malformed"]),
    ):
        cut_repair_off(spark, settings, monkeypatch, cut_off_at)
        assert archived(settings) == (["cam0", "cam1"], reasons)
        with pytest.raises(UserError, match="would double"):
            archive.start(spark, settings, once=True)
    cut_repair_off(spark, settings, monkeypatch, "keep_origin")  # it was complete
    archive_to_end(spark, settings)
    assert archived(settings) == (["cam0", "cam1"], ["malformed"])


def cut_repair_off(
    spark: SparkSession, settings: Settings, monkeypatch: pytest.MonkeyPatch, step_name: str
) -> None:
    """Repair the archive up to a step, as a kill leaves it; of the two appends, to the second."""
    step = getattr(complete_module, step_name)

    def cut_off(*arguments: Any) -> Any:
        if arguments[-1] == "camera":
            return step(*arguments)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(complete_module, step_name, cut_off)
        with pytest.raises(KeyboardInterrupt):
            complete_archive(spark, settings)


def test_a_checkpoint_that_is_lost_after_a_repair_is_refused_again(
    spark: SparkSession, half_archived: SharedRun
) -> None:
    settings = half_archived.copy(of=repaired)
    archive_to_end(spark, settings)
    shutil.rmtree(f"{settings.checkpoints}/archive")
    with pytest.raises(UserError, match=r"table .*camera has rows.*would double"):
        archive.start(spark, settings, once=True)
    shutil.rmtree(f"{settings.lake}/camera")
    forget_snapshots(spark)
    with pytest.raises(UserError, match=r"table .*quarantine has rows.*would double"):
        archive.start(spark, settings, once=True)
    assert complete_archive(spark, settings) == (2, 0)
    archive_to_end(spark, settings)
    assert archived(settings) == (["cam0", "cam1"], ["malformed"])


def test_a_topic_that_was_created_again_is_refused(spark: SparkSession, settings: Settings) -> None:
    send(settings.bootstrap_servers, [(Send(0, 0, 0).value(), 0)])
    run_to_end(spark, settings)
    renew_topics(settings.bootstrap_servers)
    send(settings.bootstrap_servers, [(Send(camera, 0, 0).value(), 0) for camera in range(4)] * 5)
    for query in (archive, stats):
        with pytest.raises(UserError, match=r"(?s)created again.*NEST_FAIL_ON_DATA_LOSS"):
            query.start(spark, settings, once=True)
    with open_consumer(settings.kafka) as consumer:
        before = list(records_in_topic(consumer, PIPELINE_PROGRESS.name))
        with pytest.raises(UserError, match=rf"at {settings.bootstrap_servers} is not the one"):
            run_to_end(spark, settings)
        assert list(records_in_topic(consumer, PIPELINE_PROGRESS.name)) == before, (
            "it may be another's"
        )
    with pytest.raises(UserError, match="positions of the old topic"):
        complete_archive(spark, settings)
    shutil.rmtree(f"{settings.checkpoints}/archive")
    with pytest.raises(UserError, match=r"positions of the old topic.*--new-tables"):
        complete_archive(spark, settings)


def test_the_check_holds_on_a_new_topic_after_the_repairs_of_its_refusal(
    spark: SparkSession, settings: Settings
) -> None:
    queries = (stats, archive, camera_status, alerts)
    offline = Send(0, 0, 0).value().replace(b'"device_id"', b'"is_online":false,"device_id"')
    send(settings.bootstrap_servers, [(offline, 0), (offline, 1)], key=b"home")
    run_to_end(spark, settings, queries=queries)
    renew_topics(settings.bootstrap_servers, NEST_LOGS)
    send(settings.bootstrap_servers, [(b"{", 0)] * 3 + [(offline, 2)], key=b"home")
    set_archive_aside(spark, settings)
    assert complete_archive(spark, settings) == (1, 3)
    delete_counts(spark, settings)
    run_to_end(spark, settings, queries=queries)
    assert run_check(settings).differing == []
    with open_consumer(settings.kafka) as consumer:
        (alert,) = records_in_topic(consumer, CAMERA_ALERTS.name)
    assert json.loads(alert.value)["offset"] == 3


def test_without_the_stop_at_lost_data_a_new_topic_is_read_from_the_old_offsets_on(
    spark: SparkSession, settings: Settings
) -> None:
    send(settings.bootstrap_servers, [(Send(0, 0, 0).value(), 0)] * 2, key=b"home")
    archive_to_end(spark, settings)
    renew_topics(settings.bootstrap_servers)
    again = [(Send(camera, 0, 0).value(), 0) for camera in (1, 1, 2, 3)]
    send(settings.bootstrap_servers, again, key=b"home")
    archive_to_end(spark, settings.model_copy(update={"fail_on_data_loss": False}))
    assert archived(settings) == (["cam0", "cam0", "cam2", "cam3"], [])


def test_a_topic_that_was_created_again_is_known_by_the_rows_alone(
    spark: SparkSession, settings: Settings
) -> None:
    send(settings.bootstrap_servers, [(Send(0, 0, 0).value(), 0)] * 3, key=b"home")
    archive_to_end(spark, settings)
    renew_topics(settings.bootstrap_servers)
    shutil.rmtree(settings.checkpoints)
    for sent in (1, 4):  # less than before, and then more
        send(settings.bootstrap_servers, [(Send(1, 0, 1).value(), 1)] * sent, key=b"home")
        with pytest.raises(UserError, match=r"positions of the old topic.*--new-tables"):
            complete_archive(spark, settings)
    set_archive_aside(spark, settings)
    assert complete_archive(spark, settings) == (5, 0)


def test_a_device_id_with_line_separators_damages_no_log(
    spark: SparkSession, settings: Settings
) -> None:
    device = "\u2028cam\u2029\x85"  # Delta writes them as they are into a commit's statistics
    strange = Send(0, 0, 0).value().replace(b"cam0", device.encode())
    for minute, value in enumerate((strange, Send(0, 1, 1).value())):
        send(settings.bootstrap_servers, [(value, minute)])
        run_to_end(spark, settings, queries=(archive, camera_status))
    assert archived(settings)[0] == ["cam0", device]
    assert {row["device_id"] for row in rows(settings, "camera_status")} == {"cam0", device}
    assert forget(spark, settings, device_id=device).rows["camera"] == 1
    run_to_end(spark, settings, queries=(archive, camera_status))


def test_a_batch_of_clean_records_leaves_the_quarantine_as_it_was(
    spark: SparkSession, settings: Settings
) -> None:
    values = (Send(0, 0, 0).value(), b"{", Send(1, 0, 0).value())
    send(settings.bootstrap_servers, [(value, 0) for value in values], key=b"home")
    archive_to_end(spark, settings.model_copy(update={"max_offsets_per_trigger": 1}))
    versions = {name: DeltaTable(f"{settings.lake}/{name}").version() for name in ARCHIVE_TABLES}
    assert versions == {"camera": 3, "quarantine": 1}
    assert archived(settings) == (["cam0", "cam1"], ["malformed"])
