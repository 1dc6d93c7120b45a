"""Keep the queries running: restart one that dies, and give up when restarting does not help."""

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Protocol

from kafka.errors import KafkaError
from py4j.protocol import Py4JJavaError
from pyspark.sql.streaming.query import StreamingQuery

from contract.duration import format_duration
from contract.errors import NoBroker, UserError
from contract.polling import poll_until
from contract.progress import State
from contract.queries import REAL_TIME_QUERIES, Query
from pipeline.running.clock_steps import ClockSteps
from pipeline.running.supervised_query import SupervisedQuery
from pipeline.spark.failure_advice import advice
from pipeline.spark.failures import causes, root_cause
from pipeline.spark.jvm import JvmEnded, is_connection_lost

ATTEMPTS = 5
"""Restarts in a row before the application gives up: after 1, 2, 4, 8 and 16 s."""
NO_BROKER_RETRY_S = 5.0
"""How long until a query is started again that found no Kafka broker; it does not give up."""
_LOOK_EVERY_S = 0.5
"""How often a live query is looked at; a tenth of that where everybody waits for its end."""
STOP_WAIT_S = 8.0
"""How long a running batch may take when the application is told to stop."""


class ReportState(Protocol):
    """Called at every change of a query's state."""

    def __call__(self, query: Query, state: State, reason: str | None = None) -> None:
        """Report that the query is waiting, running, restarting or stopped, and why."""


FindLastingFailure = Callable[[Query, Exception], str | None]
"""Takes a query and what it died of; says why a restart cannot help, None if it may."""


def supervise(
    starts: Mapping[Query, Callable[[], StreamingQuery]],
    stopping: threading.Event,
    report_state: ReportState,
    find_lasting_failure: FindLastingFailure,
    heartbeat: Callable[[Iterable[Query]], None],
    *,
    after: Mapping[Query, Query],
    each_to_its_end: bool,
) -> None:
    """Start the queries and keep them running until they have ended or ``stopping`` is set.

    ``after`` has, by query, the one that it starts after: when that one has ended; without
    ``each_to_its_end`` when it has caught up, or has not for a while. A query named there that does
    not run is waited for by none. Without ``each_to_its_end`` a query that finds no Kafka broker
    waits until one answers, and all start again after the clock was set back. ``heartbeat`` is
    called after each look, with the queries that have not finished. None runs afterwards.
    Raises UserError, with the query, the reason and what to do, when a query has died again and
    again, or of something that lasts.
    """
    supervised = _supervised(starts, after, each_to_its_end=each_to_its_end)
    clock = ClockSteps()
    for query in supervised:
        if query.after is not None:
            report_state(query.name, "waiting")
    try:
        while not stopping.is_set() and not all(query.has_finished for query in supervised):
            for query in supervised:
                if query.has_to_wait(for_end=each_to_its_end):
                    continue
                try:
                    _start_or_restart(query, report_state, find_lasting_failure)
                except NoBroker as error:
                    if each_to_its_end:  # whoever runs it on a schedule waits for its end
                        raise
                    _wait_for_broker(query, error, report_state)
            heartbeat([query.name for query in supervised if not query.has_finished])
            stopping.wait(_LOOK_EVERY_S / 10 if each_to_its_end else _LOOK_EVERY_S)
            if (back := clock.set_back_by()) and not each_to_its_end:
                _begin_again(
                    supervised, f"the clock was set back by {format_duration(back)}", report_state
                )
    finally:
        stop_queries([query.stream for query in supervised if query.stream])


def _supervised(
    starts: Mapping[Query, Callable[[], StreamingQuery]],
    after: Mapping[Query, Query],
    *,
    each_to_its_end: bool,
) -> list[SupervisedQuery]:
    """Return the queries, none of which has started, each with the one that it starts after."""
    by_name = {
        name: SupervisedQuery(name, start, not each_to_its_end and name in REAL_TIME_QUERIES)
        for name, start in starts.items()
    }
    for name, before in after.items():
        if name in by_name:
            by_name[name].after = by_name.get(before)
    return list(by_name.values())


def _start_or_restart(
    query: SupervisedQuery, report_state: ReportState, find_lasting_failure: FindLastingFailure
) -> None:
    """Start the query if it is due; if it has ended, note that or plan a restart."""
    if query.has_finished or query.is_running:
        return
    try:
        if query.has_just_ended:
            query.note_end()
        elif time.monotonic() >= query.restart_at:
            query.begin()
            report_state(query.name, "running")
    except (NoBroker, JvmEnded):  # it waits, or all queries end with their JVM
        raise
    except UserError as error:
        report_state(query.name, "stopped", str(error))
        raise
    except Exception as error:  # whatever the query died of, it is started again
        if is_connection_lost(error):
            raise
        reason = root_cause(error)
        try:
            failure = find_lasting_failure(query.name, error)
        except (NoBroker, JvmEnded):
            raise
        except UserError as other:  # such as a torn checkpoint, which no restart mends either
            failure = f"The query {query.name} died: {reason}\n{other}"
        except (KafkaError, Py4JJavaError):  # it is looked for again if the query dies again
            failure = None
        if failure:
            report_state(query.name, "stopped", reason)
            raise UserError(failure) from error
        _plan_restart(query, error, reason, report_state)


def _begin_again(
    supervised: Iterable[SupervisedQuery], reason: str, report_state: ReportState
) -> None:
    """Stop the queries that run, which are then due to start again."""
    running = [query for query in supervised if query.is_running]
    stop_queries([query.stream for query in running if query.stream])
    for query in running:
        query.stream = None
        report_state(query.name, "restarting", reason)


def _wait_for_broker(query: SupervisedQuery, error: NoBroker, report_state: ReportState) -> None:
    query.restart_at = time.monotonic() + NO_BROKER_RETRY_S
    if not query.waits_for_broker:  # said once, not at each attempt
        query.waits_for_broker = True
        report_state(query.name, "restarting", f"{error} The query waits until a broker answers.")


def _plan_restart(
    query: SupervisedQuery, error: Exception, reason: str, report_state: ReportState
) -> None:
    if query.has_done_something:
        query.failures = 0  # so this is a new failure
    query.failures += 1
    if query.failures > ATTEMPTS:
        report_state(query.name, "stopped", reason)
        raise UserError(
            f"The query {query.name} died {query.failures} times and is not restarted again: "
            f"{reason}\n{advice(causes(error))}"
        ) from error
    delay = 2.0 ** (query.failures - 1)
    query.restart_at = time.monotonic() + delay
    report_state(query.name, "restarting", f"{reason} (attempt {query.failures}, in {delay:g} s)")


def stop_queries(queries: list[StreamingQuery], wait: float = STOP_WAIT_S) -> None:
    """Stop the queries; a running batch gets up to ``wait`` seconds to finish.

    A batch that is interrupted is run again at the next start, from the same offsets. A batch of
    real-time mode lasts minutes and is always interrupted.
    """
    deadline = time.monotonic() + wait
    for query in queries:
        end = 0.0 if query.name in REAL_TIME_QUERIES else deadline
        with suppress(TimeoutError):
            poll_until(
                lambda query=query: not (query.isActive and query.status["isTriggerActive"]),  # type: ignore[misc]
                "the end of the running batch",
                timeout=max(0.0, end - time.monotonic()),
                interval=0.02,
            )
        query.stop()
