"""A query that dies is restarted, or the application ends; a running batch may finish."""

import json
import threading
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import ClassVar

import pytest
from kafka.errors import KafkaTimeoutError
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from contract.errors import NoBroker, UserError
from contract.polling import poll_until
from contract.queries import Query
from pipeline.running import supervised_query, supervisor
from pipeline.running.clock_steps import ClockSteps
from pipeline.running.supervisor import FindLastingFailure, ReportState, Supervisor, stop_queries
from pipeline.spark.batch_interruption import shorten_interruption

pytestmark = pytest.mark.spark

COUNTS, FIRST, SECOND = Query.STATS, Query.ARCHIVE, Query.CAMERA_STATUS


def starter(
    spark: SparkSession, folder: Path, batch: Callable[[DataFrame, int], None]
) -> Callable[[], StreamingQuery]:
    """A query of ten rows a second whose batches go to a function, as those of the pipeline do."""
    source = spark.readStream.format("rate").option("rowsPerSecond", 10)
    return lambda: (
        source.load()
        .writeStream.foreachBatch(shorten_interruption(batch))
        .option("checkpointLocation", str(folder))
        .start()
    )


def supervise_queries(
    starts: Mapping[Query, Callable[[], StreamingQuery]],
    stopping: threading.Event,
    report_state: ReportState,
    *,
    after: Mapping[Query, Query] = MappingProxyType({}),
    each_to_its_end: bool = True,
    heartbeat: Callable[[Iterable[Query]], None] = lambda queries: None,
    find_lasting_failure: FindLastingFailure = lambda query, error: None,
) -> None:
    """Supervise queries that by default never die of something that lasts."""
    Supervisor(
        starts,
        report_state,
        find_lasting_failure,
        heartbeat,
        after=after,
        each_to_its_end=each_to_its_end,
    ).run(stopping)


class ReportedStates(list[tuple[Query, str]]):
    """The changes of state, each as query and new state."""

    def __call__(self, query: Query, state: str, reason: str | None = None) -> None:
        self.append((query, state))


def test_a_query_is_stopped_whose_failure_cannot_be_looked_into(
    spark: SparkSession, tmp_path: Path
) -> None:
    def fail(rows: DataFrame, number: int) -> None:
        raise RuntimeError("a fault")

    def torn(query: Query, error: Exception) -> str:
        raise UserError("The checkpoint is torn.")

    reported = ReportedStates()
    with pytest.raises(UserError, match=r"died: .*a fault\nThe checkpoint is torn"):
        supervise_queries(
            {COUNTS: starter(spark, tmp_path, fail)},
            threading.Event(),
            reported,
            find_lasting_failure=torn,
        )
    assert reported == [(COUNTS, "running"), (COUNTS, "stopped")]


def test_a_query_is_restarted_where_kafka_fails_while_its_failure_is_looked_into(
    spark: SparkSession, tmp_path: Path
) -> None:
    stopping, batches, reported = threading.Event(), [], ReportedStates()

    def batch(rows: DataFrame, number: int) -> None:
        batches.append(number)
        if len(batches) == 1:
            raise RuntimeError("a fault")
        stopping.set()

    def unknown(query: Query, error: Exception) -> str:
        raise KafkaTimeoutError

    supervise_queries(
        {COUNTS: starter(spark, tmp_path, batch)}, stopping, reported, find_lasting_failure=unknown
    )
    assert reported[:3] == [(COUNTS, "running"), (COUNTS, "restarting"), (COUNTS, "running")]


def test_there_are_heartbeats_while_a_batch_goes_on(spark: SparkSession, tmp_path: Path) -> None:
    stopping, beats, has_begun = threading.Event(), threading.Semaphore(0), threading.Event()

    def batch(rows: DataFrame, number: int) -> None:
        has_begun.set()
        assert all(beats.acquire(timeout=30) for _ in range(3))
        stopping.set()

    supervise_queries(
        {COUNTS: starter(spark, tmp_path, batch)},
        stopping,
        ReportedStates(),
        heartbeat=lambda queries: beats.release() if [*queries] and has_begun.is_set() else None,
    )
    assert has_begun.is_set()


def test_a_query_that_dies_is_restarted(spark: SparkSession, tmp_path: Path) -> None:
    stopping, batches, reported = threading.Event(), [], ReportedStates()

    def batch(rows: DataFrame, number: int) -> None:
        batches.append(number)
        if len(batches) == 1:
            raise RuntimeError("a passing fault")
        stopping.set()

    supervise_queries({COUNTS: starter(spark, tmp_path, batch)}, stopping, reported)
    assert reported[:3] == [(COUNTS, "running"), (COUNTS, "restarting"), (COUNTS, "running")]
    assert batches[:2] == [0, 0], "the same batch is run again"


def test_live_queries_begin_again_when_the_clock_was_set_back(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their next batch would come when the clock is again where it was."""
    stopping, reasons, steps = threading.Event(), [], [timedelta(hours=1)]
    monkeypatch.setattr(
        ClockSteps, "set_back_by", lambda _: steps.pop() if steps and batches else None
    )
    batches: list[int] = []

    def report(query: Query, state: str, reason: str | None = None) -> None:
        reasons.append((state, reason))

    def batch(rows: DataFrame, number: int) -> None:
        batches.append(number)
        if not steps and ("running", None) in reasons[1:]:
            stopping.set()

    supervise_queries(
        {COUNTS: starter(spark, tmp_path, batch)}, stopping, report, each_to_its_end=False
    )
    because = "the clock was set back by 1 hour"
    assert reasons[:3] == [("running", None), ("restarting", because), ("running", None)]
    assert sorted(set(batches)) == list(range(max(batches) + 1)), "no batch is left out"


def test_the_application_ends_when_restarting_does_not_help(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "ATTEMPTS", 1)

    def broken(rows: DataFrame, number: int) -> None:
        raise RuntimeError("a lasting fault")

    def fine(rows: DataFrame, number: int) -> None:
        pass

    started: list[StreamingQuery] = []

    def start_other() -> StreamingQuery:
        started.append(starter(spark, tmp_path / "other", fine)())
        return started[-1]

    starts = {COUNTS: starter(spark, tmp_path / "broken", broken), FIRST: start_other}
    reported = ReportedStates()
    with pytest.raises(UserError, match=r"(?s)stats died 2 times.*a lasting fault"):
        supervise_queries(starts, threading.Event(), reported)
    assert reported[-1] == (COUNTS, "stopped")
    assert not any(query.isActive for query in started), "no query goes on alone"


def test_a_query_that_is_refused_has_stopped_and_says_why() -> None:
    def refused() -> StreamingQuery:
        raise UserError("Its checkpoint is older than its table.")

    reasons: list[tuple[Query, str, str | None]] = []

    def report_state(query: Query, state: str, reason: str | None = None) -> None:
        reasons.append((query, state, reason))

    with pytest.raises(UserError, match="older than its table"):
        supervise_queries({FIRST: refused}, threading.Event(), report_state)
    assert reasons == [(FIRST, "stopped", "Its checkpoint is older than its table.")]


def test_a_query_waits_as_long_as_kafka_is_away(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "NO_BROKER_RETRY_S", 0.0)
    stopping, attempts, reported = threading.Event(), [], ReportedStates()
    start = starter(spark, tmp_path, lambda rows, number: stopping.set())

    def start_without_broker() -> StreamingQuery:
        attempts.append(1)
        if len(attempts) < 2 * supervisor.ATTEMPTS:
            raise NoBroker("No Kafka broker answers.")
        return start()

    counts = {COUNTS: start_without_broker}
    supervise_queries(counts, stopping, reported, each_to_its_end=False)
    assert reported == [(COUNTS, "restarting"), (COUNTS, "running")]
    attempts.clear()
    with pytest.raises(NoBroker):
        supervise_queries(counts, threading.Event(), reported, each_to_its_end=True)


def test_a_query_in_real_time_may_fail_again_when_it_ran_for_long(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "ATTEMPTS", 1)
    monkeypatch.setattr(supervised_query, "REAL_TIME_LASTED_S", 0.0)
    stopping, batches = threading.Event(), []

    def batch(rows: DataFrame, number: int) -> None:
        batches.append(number)
        if len(batches) < 3:
            raise RuntimeError("a fault that comes back")
        stopping.set()

    sightings = {Query.SIGHTINGS: starter(spark, tmp_path, batch)}
    supervise_queries(sightings, stopping, ReportedStates(), each_to_its_end=False)
    assert batches[:3] == [0, 0, 0]


@pytest.mark.parametrize("each_to_its_end", [True, False])
def test_a_query_in_real_time_that_never_starts_is_given_up(
    monkeypatch: pytest.MonkeyPatch, each_to_its_end: bool
) -> None:
    monkeypatch.setattr(supervisor, "ATTEMPTS", 1)
    monkeypatch.setattr(supervised_query, "REAL_TIME_LASTED_S", 0.0)

    def start() -> StreamingQuery:
        raise RuntimeError("a disk that is full")

    with pytest.raises(UserError, match="sightings died 2 times"):
        supervise_queries(
            {Query.SIGHTINGS: start},
            threading.Event(),
            ReportedStates(),
            each_to_its_end=each_to_its_end,
        )


def test_a_query_that_dies_is_not_kept_waiting_for_the_one_before_it(
    spark: SparkSession, tmp_path: Path
) -> None:
    stopping, goes_on, batches, waited_in_vain = threading.Event(), threading.Event(), [], []

    def first(rows: DataFrame, number: int) -> None:
        if batches and not goes_on.wait(30):  # the other has started: from now on this is behind
            waited_in_vain.append(number)

    def second(rows: DataFrame, number: int) -> None:
        batches.append(number)
        if len(batches) == 1:
            raise RuntimeError("a passing fault")
        stopping.set()
        goes_on.set()

    starts = {
        FIRST: starter(spark, tmp_path / "first", first),
        SECOND: starter(spark, tmp_path / "second", second),
    }
    reported = ReportedStates()
    supervise_queries(starts, stopping, reported, after={SECOND: FIRST}, each_to_its_end=False)
    assert batches[:2] == [0, 0]
    assert waited_in_vain == []
    assert (SECOND, "restarting") in reported


def test_a_running_batch_may_finish(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running, go_on, finished = threading.Event(), threading.Event(), []
    finished_before_stop: list[list[int]] = []
    stop = StreamingQuery.stop

    def noted_stop(query: StreamingQuery) -> None:
        finished_before_stop.append([*finished])
        stop(query)

    def batch(rows: DataFrame, number: int) -> None:
        running.set()
        go_on.wait(30)
        finished.append(number)

    monkeypatch.setattr(StreamingQuery, "stop", noted_stop)
    query = starter(spark, tmp_path, batch)()
    poll_until(running.is_set, "a running batch", 30)
    stopper = threading.Thread(target=stop_queries, args=([query],))
    stopper.start()
    stopper.join(0.5)  # what stops at once has done so by then
    go_on.set()
    stopper.join(30)
    assert not query.isActive
    assert finished_before_stop[0][:1] == [0]


def test_a_batch_that_takes_too_long_is_interrupted(spark: SparkSession, tmp_path: Path) -> None:
    running = threading.Event()

    def endless(rows: DataFrame, number: int) -> None:
        running.set()
        rows.sparkSession.range(1).selectExpr(
            "java_method('java.lang.Thread', 'sleep', 60000L)"
        ).collect()

    query = starter(spark, tmp_path, endless)()
    poll_until(running.is_set, "a running batch", 30)
    stop_queries([query], wait=0.2)
    assert not query.isActive


class BoundedQuery:
    """A query that ends by itself after some looks at it."""

    name = "bounded"
    status: ClassVar = {"isTriggerActive": False}

    def __init__(self) -> None:
        self.looks = 3

    @property
    def isActive(self) -> bool:  # noqa: N802 - Spark's name
        self.looks -= 1
        return self.looks > 0

    def exception(self) -> None:
        """It has not failed."""

    def stop(self) -> None:
        """It has stopped."""


def test_queries_in_turn_start_when_the_one_before_has_ended() -> None:
    active_at_start = {}
    queries: dict[Query, BoundedQuery] = {}

    def starter_of(name: Query) -> Callable[[], BoundedQuery]:
        def start() -> BoundedQuery:
            active_at_start[name] = {other for other, each in queries.items() if each.looks > 0}
            queries[name] = BoundedQuery()
            return queries[name]

        return start

    starts = {name: starter_of(name) for name in (COUNTS, FIRST, SECOND)}
    supervise_queries(starts, threading.Event(), ReportedStates(), after={SECOND: FIRST})
    assert active_at_start == {COUNTS: set(), FIRST: {COUNTS}, SECOND: set()}


class BusyQuery(BoundedQuery):
    """A query that is in a batch for some looks, then between the batches of a history for some."""

    def __init__(self) -> None:
        self.looks = 1_000
        self.busy = 3
        self.behind = 3

    @property
    def status(self) -> dict[str, bool]:  # type: ignore[override]
        self.busy -= 1
        return {"isTriggerActive": self.busy > 0}

    @property
    def lastProgress(self) -> SimpleNamespace:  # noqa: N802 - Spark's name
        self.behind -= self.busy <= 0
        source = {"endOffset": {"0": 5}, "latestOffset": {"0": 5 if self.behind <= 0 else 9}}
        return SimpleNamespace(json=json.dumps({"sources": [source]}))


def test_live_a_query_waits_until_the_one_before_it_has_caught_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(supervisor, "_LOOK_EVERY_S", 0.01)
    stopping, first = threading.Event(), BusyQuery()
    left_at_start = []

    def start_second() -> BoundedQuery:
        left_at_start.append((first.busy > 0, first.behind > 0))
        stopping.set()
        return BoundedQuery()

    starts = {FIRST: lambda: first, SECOND: start_second}
    supervise_queries(
        starts, stopping, ReportedStates(), after={SECOND: FIRST}, each_to_its_end=False
    )
    assert left_at_start == [(False, False)]
    assert first.busy < 0, "no batch runs, and yet there is more to read"


@pytest.mark.parametrize("within", [120.0, 0.0])
def test_live_a_query_starts_after_a_batch_of_the_one_before_it_or_when_that_has_none(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, within: float
) -> None:
    monkeypatch.setattr(supervised_query, "CATCHES_UP_WITHIN_S", within)
    stopping, go_on, finished, reported = threading.Event(), threading.Event(), [], ReportedStates()

    def first(rows: DataFrame, number: int) -> None:
        if not within:  # this batch does not end while the second query waits
            go_on.wait(60)
        finished.append(number)

    def second(rows: DataFrame, number: int) -> None:
        go_on.set()
        stopping.set()

    finished_before: list[int] = []
    start_second = starter(spark, tmp_path / "second", second)

    def start() -> StreamingQuery:
        finished_before.append(len(finished))
        return start_second()

    starts = {SECOND: start, FIRST: starter(spark, tmp_path / "first", first)}
    supervise_queries(starts, stopping, reported, after={SECOND: FIRST}, each_to_its_end=False)
    assert (finished_before[0] > 0) == (within > 0)
    assert reported[0] == (SECOND, "waiting"), "an older reason is no longer true"
