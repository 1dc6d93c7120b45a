"""The Spark application: all queries, live or to the end of the input."""

import json
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery
from rich.console import Console

from contract.errors import Interrupted
from contract.lake import FORGET_UNFINISHED
from contract.progress import State, newest_progress
from contract.queries import Query
from contract.settings import Settings
from pipeline.checkpoints.checkpoint import Checkpoint
from pipeline.checkpoints.counting_rules import counting_rules
from pipeline.checkpoints.kept_settings import settings_without_effect
from pipeline.checkpoints.only_writer import require_only_writer
from pipeline.checkpoints.resumable_archive import require_own_topic
from pipeline.checkpoints.starting_offsets import with_common_start
from pipeline.commands.delete_counts import finish_deleting_counts
from pipeline.lake.forgotten import read_forgotten
from pipeline.maintenance.schedule import scheduled_maintenance
from pipeline.queries import alerts, archive, camera_status, sightings, stats
from pipeline.queries.query_module import QueryModule
from pipeline.running.backlog import read_backlog
from pipeline.running.lasting_failures import lasting_failure
from pipeline.running.progress_publisher import ProgressPublisher
from pipeline.running.supervisor import Supervisor
from pipeline.single_writer.writing_session import writing_session
from pipeline.spark.jvm import JvmEnded, explained_failures
from pipeline.spark.stopping import Stopping

_AFTER = {
    camera_status.NAME: archive.NAME,
    alerts.NAME: camera_status.NAME,
    sightings.NAME: archive.NAME,
}
"""By query, the one after which it starts. Two of them read what that one has written; the first
batch of sightings reads the whole history."""

_AFTER_LIVE = _AFTER | {archive.NAME: stats.NAME}
"""The same where people wait for the first report: the history is counted before it is archived."""

_ASKED_BEFORE_ANY_STARTS = (archive, sightings, camera_status, alerts)
"""The queries whose ``require_resumable`` is asked before any query starts.

It raises UserError where one cannot go on with what it has written and kept: by the time that these
four start others run, and a refusal would stop them. stats starts first and asks itself. sightings
is asked about its topic; its rules are those of stats."""


def run_pipeline(settings: Settings, *, once: bool = False) -> None:
    """Run all queries until SIGTERM or SIGINT, or with ``once`` to the end of the input.

    Raises UserError when Kafka or a topic is missing, a setting cannot be used, the JVM ends, or a
    query dies again and again; Interrupted when a signal comes before the end of the input.
    """
    stopping, console = Stopping(), Console(markup=False, emoji=False, soft_wrap=True)
    stopping.listen()
    try:
        with writing_session(settings, live=not once) as spark:
            stopping.listen()
            console.print(f"Spark UI: {spark.sparkContext.uiWebUrl}", highlight=False)
            with nullcontext() if once else scheduled_maintenance(spark, settings, console):
                run_queries(spark, settings, stopping.requested, console, once=once)
    except JvmEnded:
        if stopping.signal is None:
            raise
        console.print(
            "A batch was cut off: it took too long to stop. The next start runs it again."
        )
    finally:
        stopping.mark_stopped()
    if once and stopping.signal is not None:
        raise Interrupted("Stopped; the next start goes on from there.", stopping.signal)


def run_queries(
    spark: SparkSession,
    settings: Settings,
    stopping: threading.Event,
    console: Console,
    *,
    once: bool,
    queries: Sequence[QueryModule] | None = None,
) -> None:
    """Run queries, by default all, in a session until they have ended or ``stopping`` is set.

    Some start when another one has caught up, with ``once`` when it has ended. Publishes their
    progress. Raises UserError when a query dies again and again.
    """
    queries = _queries(settings) if queries is None else queries
    with explained_failures():  # before anything is written to what may be another's Kafka
        if archive in queries:
            require_own_topic(spark, settings)
        if stats in queries:
            require_only_writer(spark, settings)
            finish_deleting_counts(spark, settings)
            for sentence in settings_without_effect(spark, settings):
                console.print(sentence, style="yellow", highlight=False)
        if (forgotten := read_forgotten(spark, settings)) and not forgotten.is_removed:
            console.print(FORGET_UNFINISHED, style="yellow", highlight=False)
    settings = with_common_start(spark, settings)
    publisher = _new_publisher(spark, settings, console, queries)
    streams: dict[Query, StreamingQuery] = {}

    def start(query: QueryModule) -> StreamingQuery:
        stream = _start(query, spark, settings, once=once)
        try:
            publisher.keep_counting_rules(query.NAME, counting_rules(spark, settings, query.NAME))
        except BaseException:
            stream.stop()  # nobody else knows of it
            raise
        streams[query.NAME] = stream
        return stream

    starts = {query.NAME: partial(start, query) for query in queries}
    with _publishing(spark, publisher, starts, streams, stopping):
        for query in _ASKED_BEFORE_ANY_STARTS:
            if query in queries:
                query.require_resumable(spark, settings)
        Supervisor(
            starts,
            partial(_report_state, publisher, console),
            partial(lasting_failure, spark, settings),
            publisher.heartbeat,
            after=_AFTER if once else _AFTER_LIVE,
            each_to_its_end=once,
        ).run(stopping)


def _new_publisher(
    spark: SparkSession, settings: Settings, console: Console, queries: Sequence[QueryModule]
) -> ProgressPublisher:
    """Return a publisher that goes on after what earlier runs have published."""
    return ProgressPublisher(
        settings.kafka,
        console,
        partial(read_backlog, spark, settings),
        newest_progress(settings.kafka),
        {query.NAME: query.longest_wait(settings) for query in queries},
    )


def _report_state(
    publisher: ProgressPublisher,
    console: Console,
    query: Query,
    state: State,
    reason: str | None = None,
) -> None:
    publisher.publish_state(query, state, reason)
    if reason is not None and state != "stopped":  # why it has stopped is raised
        console.print(f"{query} is {state}: {reason}", style="yellow", highlight=False)


@contextmanager
def _publishing(
    spark: SparkSession,
    publisher: ProgressPublisher,
    names: Collection[Query],
    streams: dict[Query, StreamingQuery],
    stopping: threading.Event,
) -> Iterator[None]:
    """Publish each batch while the block runs, and at its end that the queries have stopped.

    ``streams`` are those that have started by then.
    """
    spark.streams.addListener(publisher)
    try:
        with explained_failures():
            try:
                yield
            finally:
                spark.streams.removeListener(publisher)
    except JvmEnded as error:
        reason = None if stopping.is_set() else str(error)  # what takes too long to stop is cut off
        for name in names:
            publisher.publish_state(name, "stopped", reason)
        streams.clear()  # nothing can be asked of them
        raise
    finally:
        last = {name: report for name, query in streams.items() if (report := _last_batch(query))}
        publisher.close(names, last)


def _queries(settings: Settings) -> Sequence[QueryModule]:
    by_name = {each.NAME: each for each in (stats, archive, sightings, camera_status, alerts)}
    return [by_name[name] for name in settings.queries]


def _start(
    query: QueryModule, spark: SparkSession, settings: Settings, *, once: bool
) -> StreamingQuery:
    """Start a query with its share of the cores (``scheduler.xml``)."""
    spark.sparkContext.setLocalProperty("spark.scheduler.pool", query.NAME)
    Checkpoint(spark, settings, query.NAME).clear_unplanned()
    return query.start(spark, settings, once=once)


def _last_batch(query: StreamingQuery) -> dict[str, Any] | None:
    """Return Spark's report of the query's last batch; None if it has had none since its start.

    Of a query that found nothing to read, Spark reports the batch that would have come next,
    without state and watermark.
    """
    progress = query.lastProgress
    report = None if progress is None else json.loads(progress.json)
    return report if report and "addBatch" in report["durationMs"] else None
