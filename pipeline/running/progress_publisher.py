"""Publish the progress of each query to nest-pipeline-progress, and print it for people."""

import json
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any

from kafka.errors import KafkaError
from py4j.protocol import Py4JError
from pyspark import SparkContext
from pyspark.sql.streaming.listener import (
    JStreamingQueryListener,
    QueryProgressEvent,
    QueryStartedEvent,
    QueryTerminatedEvent,
    StreamingQueryListener,
)
from rich.console import Console

from contract.instants import format_instant
from contract.kafka.cluster import Kafka
from contract.kafka.connections import new_producer
from contract.progress import QueryProgress, State
from contract.queries import Query
from contract.topics import PIPELINE_PROGRESS
from pipeline.lake.commits import TornCommit
from pipeline.lake.table_offset import TableOffset
from pipeline.running.backlog import Backlog
from pipeline.running.batch_progress import progress_line, table_offset, to_query_progress

HEARTBEAT_S = 10.0
"""How long a query that runs reports nothing at most."""
_PRINT_INTERVAL_S = 10.0
"""How often at most a query's progress is printed, or that progress is lost."""


class ProgressPublisher(StreamingQueryListener):
    """Keeps the newest progress of each query in the compacted topic, by the query's name."""

    def __init__(
        self,
        kafka: Kafka,
        console: Console,
        read_backlog: Callable[[TableOffset], Backlog],
        earlier: Mapping[str, QueryProgress],
        longest_waits: Mapping[str, timedelta],
    ) -> None:
        """Go on after what ``earlier`` runs have published, by query.

        ``longest_waits`` has, by query, how long it may wait before its next batch.
        """
        self._producer = new_producer(kafka, max_block_ms=5_000, linger_ms=0)
        self._console = console
        self._read_backlog = read_backlog
        self._latest = {query: _go_on_after(each) for query, each in earlier.items()}
        self._longest_waits = longest_waits
        self._printed: dict[str, float] = {}
        self._published: dict[str, float] = {}
        self._loss_printed: float | None = None
        self._closed = False
        # Spark's listener and the supervisor publish in threads of their own.
        self._publishing = threading.RLock()

    def onQueryStarted(self, event: QueryStartedEvent) -> None:  # noqa: N802
        """Publish that the query runs."""
        if event.name:
            self.publish_state(event.name, "running", query_id=str(event.id))

    def onQueryProgress(self, event: QueryProgressEvent) -> None:  # noqa: N802
        """Publish a finished micro-batch."""
        self.publish_report(event.progress.json)

    def publish_report(self, report: str) -> None:
        """Publish Spark's report (JSON) of a finished micro-batch; print some of them."""
        progress = self._with_backlog(json.loads(report))
        with self._publishing:
            if self._closed:
                return
            progress = self._as_it_is_now(progress)
            self._publish(progress)
        if time.monotonic() - self._printed.get(progress.query, 0) >= _PRINT_INTERVAL_S:
            self._printed[progress.query] = time.monotonic()
            self._console.print(progress_line(progress), highlight=False)

    def onQueryTerminated(self, event: QueryTerminatedEvent) -> None:  # noqa: N802
        """Publish nothing: the supervisor knows why the query ended, and reports it."""

    def publish_state(
        self, query: str, state: State, reason: str | None = None, query_id: str | None = None
    ) -> None:
        """Publish what a query does now, with its last progress; with its id where it starts."""
        now = format_instant(datetime.now(UTC))
        with self._publishing:
            latest = self._latest.get(query) or QueryProgress(query, state, now)
            if state in ("waiting", "running"):
                reason = latest.reason  # until its next batch: it may die of the same again
            restarts = latest.restarts + (state == "restarting")
            latest = replace(latest, query_id=query_id or latest.query_id)
            self._publish(replace(latest, state=state, reason=reason, restarts=restarts))

    def heartbeat(self, queries: Iterable[Query]) -> None:
        """Publish again which queries run or wait, each that has been silent for ten seconds.

        By its silence a killed pipeline is told from one that has nothing to read, or that is in a
        long batch.
        """
        with self._publishing:
            for query in queries:
                latest, published = self._latest.get(query), self._published.get(query, 0)
                is_silent = time.monotonic() - published >= HEARTBEAT_S
                if latest and latest.state in ("waiting", "running") and is_silent:
                    self._publish(latest)

    def keep_counting_rules(self, query: str, rules: Mapping[str, str]) -> None:
        """Publish by which rules a query counts, with its last progress and from now on."""
        with self._publishing:
            latest = self._latest.get(query)
            if latest and latest.counting_rules != rules:
                self._publish(replace(latest, counting_rules=dict(rules)))

    def close(self, queries: Iterable[Query], last: Mapping[Query, dict[str, Any]]) -> None:
        """Publish that the queries have stopped, each with its ``last`` progress if any, and close.

        One that has died has said of what, and stays so. The last progress is passed in because
        Spark may not have handed it to the listener yet.
        """
        finished = {name: self._with_backlog(report) for name, report in last.items()}
        with self._publishing:
            for name, progress in finished.items():
                self._latest[name] = self._as_it_is_now(progress)
            for query in queries:
                latest = self._latest.get(query)
                if latest is None or latest.state != "stopped":
                    self.publish_state(query, "stopped")
            self._closed = True  # Spark may still call the listener
        with suppress(KafkaError):  # it flushes, and the broker may be away
            self._producer.close(timeout=5)

    @cached_property
    def _jlistener(self) -> Any:
        """Return the listener for the JVM, which PySpark reads from this attribute."""
        jvm: Any = SparkContext._jvm
        return jvm.PythonStreamingQueryListenerWrapper(_JsonListener(self))

    def _with_backlog(self, report: dict[str, Any]) -> QueryProgress:
        """Return what Spark reports, and how much of a table is left, which Spark does not.

        Called outside the lock, because it may read a thousand commits.
        """
        progress, offset = to_query_progress(report), table_offset(report["sources"][0])
        if offset is None:
            return progress
        left = Backlog(0, 0)
        with suppress(Py4JError, TornCommit):  # the rest of the progress is true without it
            left = self._read_backlog(offset)
        return replace(progress, files_outstanding=left.files, bytes_outstanding=left.bytes)

    def _as_it_is_now(self, progress: QueryProgress) -> QueryProgress:
        """Add what Spark does not know; a late report does not undo that its query has died."""
        latest = self._latest.get(progress.query)
        if latest is None:
            return progress
        progress = replace(progress, restarts=latest.restarts, counting_rules=latest.counting_rules)
        if latest.state != "running":
            progress = replace(progress, state=latest.state, reason=latest.reason)
        return progress

    def _publish(self, progress: QueryProgress) -> None:
        wait = self._longest_waits.get(progress.query, timedelta())
        progress = replace(progress, longest_wait_ms=wait // timedelta(milliseconds=1))
        self._latest[progress.query] = progress
        self._published[progress.query] = time.monotonic()
        key, value = progress.encode()
        try:
            sent = self._producer.send(PIPELINE_PROGRESS.name, key=key, value=value)
        except KafkaError as error:  # without metadata; all else fails later
            self._print_loss(error)
        else:
            sent.add_errback(self._print_loss)

    def _print_loss(self, error: Exception) -> None:
        """Print that progress is lost; the queries go on, with connections of their own."""
        now = time.monotonic()
        if self._loss_printed is None or now - self._loss_printed >= _PRINT_INTERVAL_S:
            self._loss_printed = now
            self._console.print(f"progress not published: {error}", style="yellow")


def _go_on_after(earlier: QueryProgress) -> QueryProgress:
    """Return what an earlier run means for this one; why it ended says nothing of this one.

    A run that was killed could not say that it has stopped, and one that died said why.
    """
    was_killed = earlier.state == "running"
    has_died = earlier.state == "stopped" and earlier.reason is not None
    return replace(earlier, reason=None, restarts=earlier.restarts + (was_killed or has_died))


class _JsonListener(JStreamingQueryListener):
    """Fetches each report as one JSON text.

    PySpark's own listener makes hundreds of calls to the JVM for a report, a tenth of a second.
    """

    pylistener: ProgressPublisher

    def onQueryProgress(self, jevent: Any) -> None:  # noqa: N802
        """Publish a finished micro-batch."""
        self.pylistener.publish_report(jevent.progress().json())
