"""The counts on real Kafka: through restarts, as stream and batch, rebuilt with other locations."""

import shutil
from collections.abc import Callable
from contextlib import nullcontext
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from kafka.admin import ConfigResource, ConfigResourceType
from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from contract.errors import UserError
from contract.kafka.bounded_read import records_in_topic
from contract.kafka.connections import open_admin, open_consumer, partitions_of
from contract.kafka.log_offsets import end_offsets
from contract.settings import Settings
from contract.topics import CAMERA_STATS, NEST_LOGS
from pipeline.checkpoints.kept_settings import settings_without_effect
from pipeline.checkpoints.lower_counts import count_unseen
from pipeline.commands import repair as repairs
from pipeline.commands.delete_counts import delete_counts, finish_deleting_counts
from pipeline.commands.messages_gone import require_all_messages
from pipeline.commands.repair import repair_counts, repair_sightings
from pipeline.locations import read_locations
from pipeline.queries import stats
from pipeline.queries.stats import camera_stats
from pipeline.source import read_records
from pipeline.spark.state_store import set_state_store
from tests.pipeline.queries.runs import (
    Send,
    counted,
    expected_counts,
    new_settings,
    run_to_end,
    send,
)
from tests.pipeline.queries.shared_runs import SharedRun, copy_run, shared_run

pytestmark = [pytest.mark.spark, pytest.mark.kafka]

count_to_end = partial(run_to_end, queries=(stats,))


@pytest.mark.parametrize("store", ["rocksdb", "heap"])
def test_the_counts_are_the_same_with_each_state_store_and_through_a_restart(
    spark: SparkSession, bootstrap_servers: str, store: str
) -> None:
    sends = [Send(c, m, m + delay) for m in range(150) for c in range(4) for delay in (0, 7)]
    with new_settings(bootstrap_servers) as defaults:
        settings = defaults.model_copy(update={"state_store": store})
        for part in (sends[:800], sends[600:]):
            send(bootstrap_servers, [(one.value(), one.sent) for one in part])
            count_to_end(spark, settings)
        assert counted(bootstrap_servers) == expected_counts(sends)
        state = Path(settings.checkpoints) / stats.NAME / "state"
        assert bool(list(state.rglob("*.changelog"))) == (store == "rocksdb")

        assert list(settings_without_effect(spark, settings)) == []
        another = "heap" if store == "rocksdb" else "rocksdb"
        changed = settings.model_copy(update={"state_store": another, "shuffle_partitions": 5})
        remedy = "`nest repair stats` makes it anew."
        kept = settings.shuffle_partitions
        assert list(settings_without_effect(spark, changed)) == [
            f"NEST_STATE_STORE={another} has no effect: the checkpoint of stats was made with "
            f"{store}. {remedy}",
            "NEST_SHUFFLE_PARTITIONS=5 has no effect: the checkpoint of stats was made with "
            f"{kept}. {remedy}",
        ]


def test_the_state_is_kept_on_disk_unless_the_heap_is_asked_for(spark: SparkSession) -> None:
    for settings, provider in (
        (Settings(state_store="heap"), "HDFSBacked"),
        (Settings(), "RocksDB"),
    ):
        set_state_store(spark, settings)
        assert provider in spark.conf.get("spark.sql.streaming.stateStore.providerClass")


def test_a_batch_gives_the_records_that_the_stream_wrote(
    spark: SparkSession, settings: Settings
) -> None:
    send(
        settings.bootstrap_servers,
        [(Send(c, m, m).value(), m) for c in range(4) for m in range(150)],
    )
    count_to_end(spark, settings)
    locations = read_locations(spark, settings.device_locations)
    batch = camera_stats(read_records(spark, settings), locations, settings).collect()
    with open_consumer(settings.bootstrap_servers) as consumer:
        stream = {
            record.key.decode(): record.value.decode()
            for record in records_in_topic(consumer, CAMERA_STATS.name)
        }
    assert {row["key"]: row["value"] for row in batch} == stream
    assert len(batch) == len(stream) == 9  # three zip codes, three hours


def test_a_count_is_kept_under_its_zip_code_and_hour_in_a_compacted_topic(
    spark: SparkSession, settings: Settings
) -> None:
    sends = (Send(0, 605, 606), Send(1, 610, 611), Send(2, 660, 661))
    send(settings.bootstrap_servers, [(one.value(), one.sent) for one in sends], key=b"home")
    count_to_end(spark, settings.model_copy(update={"max_offsets_per_trigger": 1}))
    first = (
        '{"zip_code":"94304","window":'
        '{"start":"2026-11-20T10:00:00.000Z","end":"2026-11-20T11:00:00.000Z"}}'
    )
    other = (
        '{"zip_code":"01002","window":'
        '{"start":"2026-11-20T11:00:00.000Z","end":"2026-11-20T12:00:00.000Z"}}'
    )
    with open_consumer(settings.bootstrap_servers) as consumer:
        records = [
            (r.key.decode(), r.value.decode())
            for r in records_in_topic(consumer, CAMERA_STATS.name)
        ]
    assert records == [(first, "1"), (first, "2"), (other, "1")]
    resource = ConfigResource(ConfigResourceType.TOPIC, CAMERA_STATS.name)
    with open_admin(settings.bootstrap_servers) as admin:
        found = admin.describe_configs([resource], config_filter="all")["topic"][CAMERA_STATS.name]
    assert found["cleanup.policy"]["value"] == "compact"


def test_few_messages_wait_for_more_and_many_are_counted_at_once(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    first, few = [Send(0, 1, 1)], [Send(0, minute, minute) for minute in (2, 3)]
    many = [Send(camera, minute, minute) for minute in range(4, 28) for camera in (0, 1)]

    def send_all(sends: list[Send]) -> None:
        send(bootstrap_servers, [(one.value(), one.sent) for one in sends])

    with new_settings(bootstrap_servers) as defaults:
        settings = defaults.model_copy(update={"stats_max_delay": timedelta(hours=1)})
        send_all(first)
        query = stats.start(spark, settings, once=False)
        try:
            query.processAllAvailable()
            send_all(few)
            query.processAllAvailable()
            assert counted(bootstrap_servers) == expected_counts(first)
            send_all(many)
            query.processAllAvailable()
            assert counted(bootstrap_servers) == expected_counts([*first, *few, *many])
        finally:
            query.stop()
        send_all([Send(2, 30, 30)])
        count_to_end(spark, settings)  # a run with an end leaves nothing waiting
        assert counted(bootstrap_servers)[("01002", 0)] == 1


def test_a_live_batch_has_no_more_tasks_than_there_are_slots(
    spark: SparkSession, settings: Settings
) -> None:
    sends = [Send(camera, minute, minute) for minute in range(50) for camera in (0, 1)]
    send(settings.bootstrap_servers, [(one.value(), one.sent) for one in sends])
    ends = end_offsets(settings.kafka)
    assert sum(end > 0 for end in ends.values()) == 4
    query = stats.start(spark, settings.model_copy(update={"spark_master": "local[2]"}), once=False)
    try:
        query.processAllAvailable()
    finally:
        query.stop()
    assert _most_tasks_of_a_stage(spark, query) == 2
    assert counted(settings.bootstrap_servers) == expected_counts(sends)


def _most_tasks_of_a_stage(spark: SparkSession, query: StreamingQuery) -> int:
    tracker = spark.sparkContext.statusTracker()
    jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(str(query.runId))]
    stages = [tracker.getStageInfo(stage) for job in jobs if job for stage in job.stageIds]
    return max(stage.numTasks for stage in stages if stage)


EACH_CAMERA = {("94304", 0): 2, ("01002", 0): 1, ("unknown", 0): 1}


def count_four_cameras(spark: SparkSession, settings: Settings) -> None:
    send(settings.bootstrap_servers, [(Send(c, 10, 10).value(), 10) for c in range(4)])
    count_to_end(spark, settings)


four_cameras = shared_run(count_four_cameras)


@pytest.fixture
def counted_once(four_cameras: SharedRun) -> Settings:
    """A run with one batch: a sighting of each of four cameras."""
    return four_cameras.copy()


def test_a_start_with_another_rule_is_refused(spark: SparkSession, counted_once: Settings) -> None:
    for setting, value, commands in (
        ("lateness", timedelta(minutes=30), "--rebuild-counts`.$"),
        ("clock_skew", timedelta(0), "--rebuild-counts`. .*`nest repair archive --new-tables`"),
    ):
        other = counted_once.model_copy(update={setting: value})
        with pytest.raises(UserError, match=rf"another NEST_{setting.upper()}: .*{commands}"):
            stats.start(spark, other, once=True)


def test_a_start_with_other_locations_is_refused_and_the_counts_can_be_rebuilt(
    spark: SparkSession, counted_once: Settings
) -> None:
    settings = counted_once
    moved = Path(settings.device_locations).with_name("moved.csv")
    moved.write_text("device_id,zip_code\ncam0,10001\ncam1,10001\ncam2,10001\ncam3,10001\n")
    elsewhere = settings.model_copy(update={"device_locations": str(moved)})
    found = r"NEST_DEVICE_LOCATIONS: 3 devices then, 4 now\. .*--rebuild-counts.* and NEST_HOMES"
    with pytest.raises(UserError, match=found):
        stats.start(spark, elsewhere, once=True)
    lose_checkpoint(settings)  # the counts by the old locations are still there
    with pytest.raises(UserError, match="--rebuild-counts"):
        stats.start(spark, elsewhere, once=True)
    delete_counts(spark, elsewhere)
    count_to_end(spark, elsewhere)
    assert counted(settings.bootstrap_servers) == {("10001", 0): 4}


def test_a_new_checkpoint_needs_the_rules_that_the_counts_in_the_topic_were_made_with(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    with new_settings(bootstrap_servers) as settings:
        count_four_cameras(spark, settings)
        folder = Path(settings.checkpoints)
        moved = folder.with_name("moved.csv")
        moved.write_text("device_id,zip_code\ncam3,10001\n")
        anew = settings.model_copy(update={"checkpoints": str(folder.with_name("others"))})
        elsewhere = anew.model_copy(update={"device_locations": str(moved)})
        with pytest.raises(UserError, match="--rebuild-counts"):
            stats.start(spark, elsewhere, once=True)
        count_to_end(spark, anew)
        assert counted(bootstrap_servers) == EACH_CAMERA
        delete_counts(spark, elsewhere)
        count_to_end(spark, elsewhere)
        assert counted(bootstrap_servers) == {("10001", 0): 1, ("unknown", 0): 3}


def test_a_torn_file_of_what_the_counts_were_begun_with_is_named_and_repaired(
    spark: SparkSession, counted_once: Settings
) -> None:
    settings = counted_once
    kept = Path(f"{settings.checkpoints}/stats.origin")
    whole = kept.read_bytes()
    other = settings.model_copy(update={"lateness": timedelta(minutes=30)})
    for text in (whole[:50], b""):  # first as Hadoop sees it, by the checksum that is left
        kept.write_bytes(text)
        with pytest.raises(UserError, match=r"stats.origin is torn.*nest repair stats"):
            stats.start(spark, other, once=True)
        kept.with_name(".stats.origin.crc").unlink(missing_ok=True)
    delete_counts(spark, other)
    count_to_end(spark, other)
    assert counted(settings.bootstrap_servers) == EACH_CAMERA


def test_a_rebuild_that_was_cut_off_is_finished_by_the_next_start(
    spark: SparkSession, counted_once: Settings
) -> None:
    settings = counted_once
    Path(f"{settings.checkpoints}/stats.rebuild").write_text(
        ""
    )  # killed before the first tombstone
    finish_deleting_counts(spark, settings)
    assert counted(settings.bootstrap_servers) == {}
    assert not list(Path(settings.checkpoints).glob("stats*"))
    count_to_end(spark, settings)
    assert counted(settings.bootstrap_servers) == EACH_CAMERA


def delete_oldest(settings: Settings, *, everything: bool = False) -> None:
    """Delete the first message of one partition, as retention does, or all messages."""
    with open_consumer(settings.kafka) as consumer:
        ends = consumer.end_offsets(partitions_of(consumer, NEST_LOGS.name))
    first = next(tp for tp, end in ends.items() if end)
    with open_admin(settings.kafka) as admin:
        admin.delete_records(ends if everything else {first: 1})


def test_a_rebuild_after_retention_is_refused_unless_it_is_forced(
    spark: SparkSession, settings: Settings
) -> None:
    send(settings.bootstrap_servers, [(Send(c, 10, 10).value(), 10) for c in range(4)])
    require_all_messages(settings)
    delete_oldest(settings)
    with pytest.raises(UserError, match=r"lost 1 message, .*--force"):
        require_all_messages(settings)


def count_twice(spark: SparkSession, settings: Settings) -> None:
    """Count two batches, and keep a copy of the checkpoint as it was before them."""
    count_to_end(spark, settings)  # nothing to read: a checkpoint that has counted nothing
    shutil.copytree(f"{settings.checkpoints}/stats", f"{settings.checkpoints}/stats.older")
    for minute in (10, 20):
        sends = [Send(camera, minute, minute) for camera in range(4)]
        send(settings.bootstrap_servers, [(one.value(), one.sent) for one in sends])
    count_to_end(spark, settings.model_copy(update={"max_offsets_per_trigger": 4}))
    assert len(list(Path(f"{settings.checkpoints}/stats/commits").glob("[0-9]*"))) >= 2


two_batches = shared_run(count_twice)


@pytest.fixture
def counted_twice(two_batches: SharedRun) -> Settings:
    """A run of two batches, each with a sighting of each of four cameras."""
    return two_batches.copy()


def lose_checkpoint(settings: Settings) -> Settings:
    shutil.rmtree(f"{settings.checkpoints}/stats")
    return settings


def empty_offsets(settings: Settings) -> Settings:
    for file in Path(f"{settings.checkpoints}/stats/offsets").iterdir():
        file.unlink()
    return settings


def put_older_back(settings: Settings) -> Settings:
    lose_checkpoint(settings)
    shutil.copytree(f"{settings.checkpoints}/stats.older", f"{settings.checkpoints}/stats")
    return settings


def elsewhere(settings: Settings) -> Settings:
    return settings.model_copy(
        update={name: f"{getattr(settings, name)}/elsewhere" for name in ("checkpoints", "lake")}
    )


def at_the_end(settings: Settings) -> Settings:
    return lose_checkpoint(settings).model_copy(update={"starting_offsets": "latest"})


def counts_written(settings: Settings) -> int:
    """Return how many records are in nest-camera-stats."""
    with open_consumer(settings.kafka) as consumer:
        return len(list(records_in_topic(consumer, CAMERA_STATS.name)))


def damaged_copies(
    settings: Settings, folder: Path, *damages: Callable[[Settings], Settings]
) -> list[Settings]:
    """Return a copy of a run for each damage, with the damage done to it."""
    return [damage(copy_run(settings, folder / damage.__name__)) for damage in damages]


def test_a_new_checkpoint_does_not_pass_over_what_was_counted(
    spark: SparkSession, counted_twice: Settings
) -> None:
    damaged = at_the_end(counted_twice)
    with pytest.raises(UserError, match=r"counted 8 messages that .*before NEST_STARTING_OFF"):
        count_to_end(spark, damaged)
    for repair in (repair_counts, repair_sightings):
        with pytest.raises(UserError, match="make nothing again of the messages before"):
            repair(damaged)


def test_right_counts_are_not_replaced_where_messages_are_gone(
    spark: SparkSession, counted_twice: Settings, tmp_path: Path
) -> None:
    before = counted(counted_twice.bootstrap_servers)
    delete_oldest(counted_twice)
    count_to_end(spark, counted_twice)  # its own checkpoint knows what is gone
    all_damages = (lose_checkpoint, empty_offsets, put_older_back, elsewhere)
    damaged_runs = damaged_copies(counted_twice, tmp_path, *all_damages)
    for damaged in damaged_runs * 2:
        with pytest.raises(UserError, match=r"(counted 1 message |is torn).*`nest repair stats`"):
            count_to_end(spark, damaged)
    assert counted(counted_twice.bootstrap_servers) == before
    for damaged in damaged_runs:
        delete_counts(spark, damaged)
        assert counted(counted_twice.bootstrap_servers) == {}
        stats.start(spark, damaged, once=True).awaitTermination()
        assert sum(counted(counted_twice.bootstrap_servers).values()) == 7


def test_what_is_still_there_is_counted_again_to_the_same_counts(
    spark: SparkSession, counted_twice: Settings, tmp_path: Path
) -> None:
    before = counted(counted_twice.bootstrap_servers)
    for damaged in damaged_copies(
        counted_twice, tmp_path, lose_checkpoint, put_older_back, elsewhere
    ):
        before_start = counts_written(counted_twice)
        stats.start(spark, damaged, once=True).awaitTermination()
        assert counts_written(counted_twice) > before_start
        assert counted(counted_twice.bootstrap_servers) == before


def test_a_repair_says_so_where_no_query_makes_the_sightings_again(
    spark: SparkSession, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repairs, "writing_session", lambda _: nullcontext(spark))
    for command in (repair_counts, repair_sightings):
        assert "NEST_SIGHTINGS=true" in command(settings)
        assert "NEST_SIGHTINGS" not in command(settings.model_copy(update={"sightings": True}))


def test_messages_that_are_gone_before_they_were_counted_are_named(
    spark: SparkSession, counted_twice: Settings
) -> None:
    before = counted(counted_twice.bootstrap_servers)
    send(counted_twice.bootstrap_servers, [(Send(c, 30, 30).value(), 30) for c in range(4)])
    delete_oldest(counted_twice, everything=True)
    with pytest.raises(UserError, match=r"(?s)had not read yet are gone.*FAIL_ON_DATA_LOSS=false"):
        count_to_end(spark, counted_twice)
    go_on = counted_twice.model_copy(update={"fail_on_data_loss": False})
    count_to_end(spark, go_on)
    assert counted(counted_twice.bootstrap_servers) == before


def test_a_torn_schema_of_the_state_is_named_at_once(
    spark: SparkSession, counted_twice: Settings
) -> None:
    for schema in Path(f"{counted_twice.checkpoints}/stats/state").rglob("_metadata/schema"):
        schema.write_bytes(b"")
        schema.with_name(".schema.crc").unlink(missing_ok=True)
    send(counted_twice.bootstrap_servers, [(Send(0, 30, 30).value(), 30)])
    with pytest.raises(
        UserError, match=r"(?s)cannot be read: java.io.EOFException.*`nest repair stats`"
    ):
        count_to_end(spark, counted_twice)


@pytest.mark.parametrize(
    ("known", "first", "unseen"),
    [
        ({}, {0: 0, 1: 0}, 0),
        ({}, {0: 4, 1: 0}, 4),
        ({}, {0: 40, 1: 40}, 14),
        ({0: 10, 1: 4}, {0: 40, 1: 40}, 0),
        ({0: 3, 1: 4}, {0: 2, 1: 0}, 0),
        ({0: 3, 1: 4}, {0: 5, 1: 0}, 2),
        ({0: 12, 1: 9}, {0: 40, 1: 40}, 0),
        ({}, {}, 0),
    ],
)
def test_only_counted_messages_that_are_gone_are_unseen(
    known: dict[int, int], first: dict[int, int], unseen: int
) -> None:
    assert count_unseen({0: 10, 1: 4}, known, first) == unseen
