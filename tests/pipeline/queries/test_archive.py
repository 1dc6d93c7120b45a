"""The archive on real Kafka and Delta: each batch once in each table, whatever is repeated."""

import shutil
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from deltalake import DeltaTable
from pyspark.sql import SparkSession

from contract.errors import UserError
from contract.settings import Settings
from pipeline.commands import repair_archive as repair_module
from pipeline.commands.repair_archive import repair_archive, replace_tables
from pipeline.lake.restores import restore_table
from pipeline.lake.snapshots import forget_snapshots
from pipeline.lake.tables import create_tables
from pipeline.parsing.rejection_counter import RejectionCounter
from pipeline.queries import archive, stats
from pipeline.source import read_records
from tests.fixtures.kafka import renew_topics
from tests.pipeline.queries.runs import Send, rows, run_to_end, send

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


def test_a_batch_cut_off_between_the_two_tables_is_completed(
    spark: SparkSession, run: Settings
) -> None:
    send(run.bootstrap_servers, [(Send(0, 0, 0).value(), 0), (b"{", 1)])
    archive_to_end(spark, run)
    uncommit(run, 0)
    undo_last_commit(spark, run, "quarantine")
    archive_to_end(spark, run)
    assert archived(run) == (["cam0"], ["malformed"])


def test_a_batch_cut_off_after_both_tables_is_not_doubled(
    spark: SparkSession, run: Settings
) -> None:
    send(run.bootstrap_servers, [(Send(0, 0, 0).value(), 0), (b"{", 1)])
    archive_to_end(spark, run)
    uncommit(run, 0)
    archive_to_end(spark, run)
    assert archived(run) == (["cam0"], ["malformed"])


def test_an_older_checkpoint_is_refused_and_repaired(spark: SparkSession, run: Settings) -> None:
    older = Path(run.checkpoints).with_name("older")
    for camera in range(3):
        send(run.bootstrap_servers, [(Send(camera, 0, 0).value(), 0), (b"{", 1)])
        archive_to_end(spark, run)
        if camera == 0:
            shutil.copytree(f"{run.checkpoints}/archive", older)
    shutil.rmtree(f"{run.checkpoints}/archive")
    older.rename(f"{run.checkpoints}/archive")
    with pytest.raises(UserError, match=r"(?s)older than the table.*up to 0.*batch 2.*repair"):
        archive.start(spark, run, once=True)
    assert repair_archive(spark, run) == (0, 0)
    send(run.bootstrap_servers, [(Send(3, 0, 0).value(), 0), (b"{", 1)])
    archive_to_end(spark, run)
    assert archived(run) == (["cam0", "cam1", "cam2", "cam3"], ["malformed"] * 4)


@pytest.mark.parametrize("file", ["offsets/1", "offsets/0", "commits/1", "metadata"])
def test_a_torn_checkpoint_file_is_named_and_repaired(
    spark: SparkSession, run: Settings, file: str
) -> None:
    for camera in range(2):
        send(run.bootstrap_servers, [(Send(camera, 0, 0).value(), 0), (b"{", 1)])
        archive_to_end(spark, run)
    undo_last_commit(spark, run, "quarantine")
    Path(f"{run.checkpoints}/archive/{file}").write_text("")
    with pytest.raises(UserError, match=f"{file} is torn.*nest repair archive"):
        archive.start(spark, run, once=True)
    assert repair_archive(spark, run) == (0, 1)
    archive_to_end(spark, run)
    assert archived(run) == (["cam0", "cam1"], ["malformed"] * 2)


def test_a_torn_file_of_what_the_archive_began_with_is_named_and_repaired(
    spark: SparkSession, run: Settings
) -> None:
    send(run.bootstrap_servers, [(Send(0, 0, 0).value(), 0)])
    archive_to_end(spark, run)
    Path(f"{run.checkpoints}/archive.origin").write_text("{")
    with pytest.raises(UserError, match=r"archive.origin is torn.*nest repair archive"):
        archive.start(spark, run, once=True)
    assert repair_archive(spark, run) == (0, 0)
    Path(f"{run.checkpoints}/archive.starting_offsets").write_text("")
    with pytest.raises(UserError, match="would double"):
        archive.start(spark, run, once=True)
    assert repair_archive(spark, run) == (0, 0)
    archive_to_end(spark, run)
    assert archived(run) == (["cam0"], [])


def test_a_lake_that_is_gone_is_refused_and_written_again_by_the_repair(
    spark: SparkSession, run: Settings
) -> None:
    send(run.bootstrap_servers, [(Send(0, 0, 0).value(), 0), (b"{", 1)])
    archive_to_end(spark, run)
    elsewhere = run.model_copy(update={"lake": f"{run.lake}-2"})
    with pytest.raises(UserError, match=r"(?s)NEST_LAKE=.*is gone.*nest repair archive"):
        archive.start(spark, elsewhere, once=True)
    assert repair_archive(spark, elsewhere) == (1, 1)
    send(run.bootstrap_servers, [(Send(1, 0, 0).value(), 0)])
    archive_to_end(spark, elsewhere)
    assert archived(elsewhere) == (["cam0", "cam1"], ["malformed"])


def test_no_table_is_begun_in_the_place_of_one_that_is_gone_under_a_running_query(
    spark: SparkSession, run: Settings
) -> None:
    send(run.bootstrap_servers, [(Send(0, 0, 0).value(), 0)])
    archive_to_end(spark, run)
    shutil.rmtree(run.lake)
    counter = RejectionCounter(spark, run.clock_skew)
    with pytest.raises(FileNotFoundError, match="camera is gone"):
        archive.write_batch(read_records(spark, run), 1, settings=run, counter=counter)
    assert not Path(run.lake).exists()


def test_another_table_in_the_place_of_the_archive_is_refused(
    spark: SparkSession, run: Settings
) -> None:
    send(run.bootstrap_servers, [(Send(0, 0, 0).value(), 0)])
    run_to_end(spark, run)
    shutil.rmtree(f"{run.lake}/camera")
    create_tables(spark, run)
    with pytest.raises(UserError, match=r"table camera .* is another one"):
        archive.start(spark, run, once=True)


def test_a_topic_that_was_created_again_is_refused(spark: SparkSession, run: Settings) -> None:
    send(run.bootstrap_servers, [(Send(0, 0, 0).value(), 0)])
    run_to_end(spark, run)
    renew_topics(run.bootstrap_servers)
    send(run.bootstrap_servers, [(Send(camera, 0, 0).value(), 0) for camera in range(4)] * 5)
    for query in (archive, stats):
        with pytest.raises(UserError, match=r"(?s)created again.*NEST_FAIL_ON_DATA_LOSS"):
            query.start(spark, run, once=True)
    with pytest.raises(UserError, match="positions of the old topic"):
        repair_archive(spark, run)
    shutil.rmtree(f"{run.checkpoints}/archive")
    with pytest.raises(UserError, match=r"positions of the old topic.*--new-tables"):
        repair_archive(spark, run)


def test_without_the_stop_at_lost_data_a_new_topic_is_read_from_the_old_offsets_on(
    spark: SparkSession, run: Settings
) -> None:
    send(run.bootstrap_servers, [(Send(0, 0, 0).value(), 0)] * 2, key=b"home")
    archive_to_end(spark, run)
    renew_topics(run.bootstrap_servers)
    again = [(Send(camera, 0, 0).value(), 0) for camera in (1, 1, 2, 3)]
    send(run.bootstrap_servers, again, key=b"home")
    archive_to_end(spark, run.model_copy(update={"fail_on_data_loss": False}))
    assert archived(run) == (["cam0", "cam0", "cam2", "cam3"], [])


@pytest.mark.parametrize("sent", [1, 5], ids=["less-than-before", "more-than-before"])
def test_a_topic_that_was_created_again_is_known_by_the_rows_alone(
    spark: SparkSession, run: Settings, sent: int
) -> None:
    send(run.bootstrap_servers, [(Send(0, 0, 0).value(), 0)] * 3, key=b"home")
    run_to_end(spark, run)
    renew_topics(run.bootstrap_servers)
    send(run.bootstrap_servers, [(Send(1, 0, 1).value(), 1)] * sent, key=b"home")
    shutil.rmtree(run.checkpoints)
    with pytest.raises(UserError, match=r"positions of the old topic.*--new-tables"):
        repair_archive(spark, run)
    replace_tables(spark, run)
    assert repair_archive(spark, run) == (sent, 0)


def test_a_batch_of_clean_records_leaves_the_quarantine_as_it_was(
    spark: SparkSession, run: Settings
) -> None:
    versions = []
    for value in (Send(0, 0, 0).value(), b"{", Send(1, 0, 0).value()):
        send(run.bootstrap_servers, [(value, 0)])
        run_to_end(spark, run)
        versions.append(DeltaTable(f"{run.lake}/quarantine").version())
    assert versions == [0, 1, 1]
    assert archived(run) == (["cam0", "cam1"], ["malformed"])


def test_archiving_again_without_the_checkpoint_is_refused(
    spark: SparkSession, run: Settings
) -> None:
    send(run.bootstrap_servers, [(Send(0, 0, 0).value(), 0)])
    archive_to_end(spark, run)
    shutil.rmtree(f"{run.checkpoints}/archive")
    with pytest.raises(UserError, match="would double"):
        archive.start(spark, run, once=True)
    assert repair_archive(spark, run) == (0, 0)
    archive_to_end(spark, run)
    assert archived(run) == (["cam0"], [])


@pytest.mark.parametrize("cut_off_at", ["_append_missing", "keep_start", "keep_origin"])
@pytest.mark.parametrize("had_a_repair", [False, True])
def test_a_repair_that_is_cut_off_doubles_nothing(
    spark: SparkSession,
    run: Settings,
    monkeypatch: pytest.MonkeyPatch,
    cut_off_at: str,
    had_a_repair: bool,
) -> None:
    send(run.bootstrap_servers, [(Send(0, 0, 0).value(), 0)])
    archive_to_end(spark, run)
    if had_a_repair:
        repair_archive(spark, run)
    send(run.bootstrap_servers, [(Send(1, 0, 0).value(), 0), (b"{", 1)])
    step = getattr(repair_module, cut_off_at)

    def cut_off(*arguments: Any) -> Any:
        if cut_off_at == "_append_missing" and arguments[-1] == "camera":
            return step(*arguments)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(repair_module, cut_off_at, cut_off)
        with pytest.raises(KeyboardInterrupt):
            repair_archive(spark, run)
    if cut_off_at != "keep_origin":  # else it was complete
        with pytest.raises(UserError, match="would double"):
            archive.start(spark, run, once=True)
        repair_archive(spark, run)
    archive_to_end(spark, run)
    assert archived(run) == (["cam0", "cam1"], ["malformed"])


def test_a_checkpoint_that_is_lost_after_a_repair_is_refused_again(
    spark: SparkSession, run: Settings
) -> None:
    send(run.bootstrap_servers, [(Send(0, 0, 0).value(), 0)])
    archive_to_end(spark, run)
    repair_archive(spark, run)
    send(run.bootstrap_servers, [(Send(1, 0, 0).value(), 0), (b"{", 1)])
    archive_to_end(spark, run)
    shutil.rmtree(f"{run.checkpoints}/archive")
    with pytest.raises(UserError, match=r"table .*camera has rows.*would double"):
        archive.start(spark, run, once=True)
    shutil.rmtree(f"{run.lake}/camera")
    forget_snapshots(spark)
    with pytest.raises(UserError, match=r"table .*quarantine has rows.*would double"):
        archive.start(spark, run, once=True)
    assert repair_archive(spark, run) == (2, 0)
    archive_to_end(spark, run)
    assert archived(run) == (["cam0", "cam1"], ["malformed"])


def test_new_tables_begin_with_the_first_message_though_a_repair_has_kept_another_start(
    spark: SparkSession, run: Settings
) -> None:
    send(run.bootstrap_servers, [(Send(0, 0, 0).value(), 0), (b"{", 1)])
    archive_to_end(spark, run)
    repair_archive(spark, run)
    replace_tables(spark, run)  # and a kill before the repair that writes the new ones
    archive_to_end(spark, run)
    assert archived(run) == (["cam0"], ["malformed"])
    # Again: what was set aside before may hold the only rows of messages that are gone.
    assert [Path(uri).name for uri in replace_tables(spark, run)] == [
        "camera.set-aside-2",
        "quarantine.set-aside-2",
    ]


def test_a_table_restored_after_a_repair_is_refused_at_the_next_start(
    spark: SparkSession, run: Settings
) -> None:
    send(run.bootstrap_servers, [(Send(0, 0, 0).value(), 0)])
    archive_to_end(spark, run)
    repair_archive(spark, run)
    restore_table(spark, run, "camera", 0)
    with pytest.raises(UserError, match=r"camera was restored .*nest repair archive"):
        archive.start(spark, run, once=True)
