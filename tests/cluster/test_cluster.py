"""The demo on a cluster: the same numbers as on one machine, also when parts of it are killed.

One start of three brokers, an object store, a Spark master and two workers serves all.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pyarrow as pa
import pytest
from deltalake import DeltaTable
from kafka import KafkaProducer
from kafka.admin import NewTopic
from kafka.errors import KafkaError

from check import run_check
from contract.counts import read_counts
from contract.duration import parse_duration
from contract.errors import UserError
from contract.kafka.connections import open_admin, open_consumer
from contract.kafka.log_offsets import end_offsets, has_reached
from contract.lake import TABLES, table_location
from contract.polling import poll_until
from contract.progress import ProgressLog
from contract.queries import Query
from contract.settings import Settings, load_settings
from contract.topic_admin import topic_differences, wanted_topics
from contract.topics import NEST_LOGS
from demo.cluster.cluster import Cluster
from demo.cluster.submitted import Submitted
from demo.health.ready import require_ready
from demo.stack.environment import environment
from demo.stack.live_services import producer_service
from demo.stack.working_folder import link_jars
from pipeline.single_writer.lock import pipeline_lock
from tests.fixtures.nest_command import nest

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(1500)]
MESSAGES = 300
PATIENCE_S = 600.0


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """The whole cluster, with the topics and a simulation of its own."""
    folder = tmp_path_factory.mktemp("cluster")
    link_jars(load_settings(), folder)
    settings = Settings(
        state=folder,
        homes=20,
        seed=9,
        history=parse_duration("3 minutes"),
        stats_trigger=parse_duration("5 seconds"),
        archive_trigger=parse_duration("5 seconds"),
        spark_ui_port=0,
        dirt_malformed=0.02,
        dirt_duplicate=0.02,
    )
    with Cluster(settings, folder / "cluster") as cluster:
        yield cluster


def run(settings: Settings, *words: str) -> None:
    """Run a nest command on this machine; it must succeed."""
    done = nest(*words, timeout=PATIENCE_S, **environment(settings))
    assert done.returncode == 0, done.stdout + done.stderr


def read_rows(settings: Settings, table: str) -> list[dict[str, object]]:
    """Return a table's rows in the order of the topic, read by delta-rs."""
    rows = pa.table(DeltaTable(table_location(settings.lake, table)).to_pyarrow_table()).to_pylist()
    return sorted(rows, key=lambda row: (row["partition"], row["offset"], repr(row)))


def assert_check_holds(settings: Settings, *, must_be_complete: bool = False) -> None:
    verdict = run_check(settings, must_be_complete=must_be_complete)
    assert verdict.holds, [str(each) for each in verdict.comparisons if not each.holds]


def test_topics_are_on_three_brokers(cluster: Cluster) -> None:
    with open_admin(cluster.settings.kafka) as admin:
        assert topic_differences(admin, wanted_topics(cluster.settings)) == []
    assert cluster.brokers.in_sync(NEST_LOGS.name) == [3, 3, 3, 3]


def test_a_bounded_run_gives_the_same_counts_and_rows_as_on_one_machine(
    cluster: Cluster, tmp_path: Path
) -> None:
    settings = cluster.settings
    run(settings, "produce", "--messages", str(MESSAGES))
    log = cluster.folder / "logs" / "once.log"
    cluster.submit("Pipeline", ["pipeline", "--once"], log=log).complete()
    assert_check_holds(settings, must_be_complete=True)
    counts = read_counts(settings.kafka).by_key
    here = settings.model_copy(
        update={
            "lake": str(tmp_path / "lake"),
            "checkpoints": str(tmp_path / "checkpoints"),
            "spark_master": "local[2]",
        }
    )
    run(here, "pipeline", "--once")
    assert sum(counts.values()) > 0
    assert read_counts(here.kafka).by_key == counts
    for table in TABLES:
        rows = read_rows(settings, table)
        assert rows
        assert rows == read_rows(here, table)


@pytest.fixture(scope="module")
def live(cluster: Cluster) -> Iterator[Submitted]:
    """The pipeline, live, which goes on where the bounded run has ended."""
    settings = cluster.settings.model_copy(update={"rate": 0.5})
    pipeline = cluster.submit(
        "Pipeline", ["pipeline"], settings, cluster.folder / "logs" / "pipeline.log"
    )
    with producer_service(settings), pipeline:
        yield pipeline


def wait_for(condition: Callable[[], object], what: str, pipeline: Submitted) -> None:
    """Wait until a condition holds while the pipeline runs."""

    def came() -> object:
        assert pipeline.running(), pipeline.died()
        try:
            return condition()
        except UserError:  # a partition has no leader for a moment
            return False

    try:
        poll_until(came, what, PATIENCE_S, 0.2)
    except TimeoutError:
        pytest.fail(f"{what} did not come. {pipeline._end_of_log()}")


def committed(settings: Settings, query: str) -> dict[int, int]:
    with open_consumer(settings.kafka) as consumer:
        return ProgressLog().committed_now(consumer, query)


def caught_up(settings: Settings) -> Callable[[], bool]:
    """Return whether both queries have committed all that is in nest-logs now."""
    ends = end_offsets(settings.kafka)
    return lambda: all(
        has_reached(committed(settings, name), ends) for name in (Query.STATS, Query.ARCHIVE)
    )


def batches(cluster: Cluster, log: str) -> set[str]:
    """Return the numbers of the archive's batches in a log of its checkpoint, in the bucket."""
    folder = cluster.store.objects / "nest" / "checkpoints" / Query.ARCHIVE / log
    return {path.name for path in folder.glob("*") if path.name.isdigit()}


def executors(cluster: Cluster) -> list[psutil.Process]:
    """Return the JVMs that the workers have started for the pipeline."""
    workers = [service for service in cluster.spark.services if "worker" in service.name]
    return [
        child
        for worker in workers
        for child in psutil.Process(worker.pid).children()
        if is_executor(child)
    ]


def is_executor(process: psutil.Process) -> bool:
    try:
        return "CoarseGrainedExecutorBackend" in " ".join(process.cmdline())
    except psutil.NoSuchProcess:  # it has just ended
        return False


def test_an_executor_killed_in_the_middle_of_a_batch_loses_and_doubles_nothing(
    cluster: Cluster, live: Submitted
) -> None:
    killed: set[str] = set()

    def is_killed_in_a_batch() -> bool:
        running = batches(cluster, "offsets") - batches(cluster, "commits")
        if not running or len(executors(cluster)) < 2:
            return False
        executors(cluster)[0].kill()
        killed.update(running - batches(cluster, "commits"))
        return bool(killed)

    wait_for(is_killed_in_a_batch, "a batch that has lost an executor", live)
    (batch, *_) = killed
    wait_for(lambda: batch in batches(cluster, "commits"), "the batch's end", live)
    wait_for(lambda: len(executors(cluster)) == 2, "another executor", live)


def test_the_work_of_a_lost_worker_is_done_by_the_other(cluster: Cluster, live: Submitted) -> None:
    worker = cluster.spark.services[-1]
    worker.kill()
    wait_for(lambda: cluster.spark.alive_workers() == 1, "the master's notice", live)
    wait_for(caught_up(cluster.settings), "the counts and rows of one worker", live)
    worker.start()
    wait_for(lambda: len(executors(cluster)) == 2, "an executor of the worker", live)


def test_a_second_writer_is_kept_away(cluster: Cluster, live: Submitted) -> None:
    with (
        pytest.raises(UserError, match="Another pipeline, or a command that excludes one, writes"),
        pipeline_lock(cluster.settings),
    ):
        pytest.fail("two writers")


def test_with_one_of_three_brokers_stopped_everything_goes_on(
    cluster: Cluster, live: Submitted
) -> None:
    ends = end_offsets(cluster.settings.kafka)
    cluster.brokers.kill(1)
    # The others still name it as the leader of a partition.
    assert has_reached(end_offsets(cluster.settings.kafka), ends)
    wait_for(lambda: max(cluster.brokers.in_sync(NEST_LOGS.name)) == 2, "two brokers", live)
    before = sum(end_offsets(cluster.settings.kafka).values())
    wait_for(lambda: sum(end_offsets(cluster.settings.kafka).values()) > before, "messages", live)
    wait_for(caught_up(cluster.settings), "the counts and rows of these", live)
    cluster.brokers.services[0].start()
    wait_for(lambda: cluster.brokers.in_sync(NEST_LOGS.name) == [3, 3, 3, 3], "three brokers", live)


def test_a_driver_killed_and_submitted_again_goes_on(cluster: Cluster, live: Submitted) -> None:
    for python in live.python_processes():
        python.kill()
    live.kill()
    live.start()
    wait_for(caught_up(cluster.settings), "the counts and rows after the kill", live)
    require_ready(cluster.settings, PATIENCE_S)
    assert_check_holds(cluster.settings)


def sent_once(settings: Settings, topic: str) -> str:
    """Send a record with acks=all and no second try; return the error's name, or accepted."""
    try:
        with closing(
            KafkaProducer(
                bootstrap_servers=settings.bootstrap_servers.split(","),
                acks="all",
                retries=0,
                enable_idempotence=False,
            )
        ) as producer:
            producer.send(topic, b"{}").get(timeout=30)
    except KafkaError as error:
        return type(error).__name__
    return "accepted"


def test_with_two_of_three_brokers_a_topic_that_wants_two_accepts_and_one_that_wants_three_refuses(
    cluster: Cluster,
) -> None:
    settings, brokers = cluster.settings, cluster.brokers
    strict = NewTopic("wants-three", 1, 3, topic_configs={"min.insync.replicas": "3"})
    with open_admin(settings.kafka) as admin:
        admin.create_topics([strict], wait_for_metadata=True)

    def in_sync() -> list[int]:
        try:
            return brokers.in_sync(strict.name)
        except UserError:  # the client has asked the dead one
            return []

    poll_until(lambda: sent_once(settings, strict.name) == "accepted", "three brokers", 60)
    brokers.kill(1)
    # Until the others know it, whoever writes is told that a partition has no leader.
    poll_until(lambda: in_sync() == [2], "two brokers", 60)
    poll_until(lambda: sent_once(settings, NEST_LOGS.name) == "accepted", "two of three", 60)
    assert sent_once(settings, strict.name) == "NotEnoughReplicasError"
    brokers.services[0].start()
    poll_until(lambda: in_sync() == [3], "three brokers again", 60)
    poll_until(lambda: sent_once(settings, strict.name) == "accepted", "three of three", 60)
