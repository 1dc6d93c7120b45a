"""Keep the queries running: restart one that dies, and give up when restarting does not help."""

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Supervisor:
    """Starts queries, and keeps them running."""

    starts: Mapping[Query, Callable[[], StreamingQuery]]
    """By query, what starts it."""
    report_state: ReportState
    find_lasting_failure: FindLastingFailure
    heartbeat: Callable[[Iterable[Query]], None]
    """Called after each look, with the queries that have not finished."""
    after: Mapping[Query, Query]
    """By query, the one that it starts after: when that one has ended; without ``each_to_its_end``
    when it has caught up, or has not for a while. One that does not run is waited for by none."""
    each_to_its_end: bool
    """Without it a query that finds no Kafka broker waits until one answers, and all start again
    after the clock was set back."""

    def run(self, stopping: threading.Event) -> None:
        """Run the queries until they have ended or ``stopping`` is set; none runs afterwards.

        Raises UserError, with the query, the reason and what to do, when a query has died again and
        again, or of something that lasts.
        """
        supervised = self._supervised()
        clock = ClockSteps()
        for query in supervised:
            if query.after is not None:
                self.report_state(query.name, "waiting")
        try:
            while not stopping.is_set() and not all(query.has_finished for query in supervised):
                for query in supervised:
                    if query.has_to_wait(for_end=self.each_to_its_end):
                        continue
                    try:
                        self._start_or_restart(query)
                    except NoBroker as error:
                        if self.each_to_its_end:  # whoever runs it on a schedule waits for its end
                            raise
                        self._wait_for_broker(query, error)
                self.heartbeat([query.name for query in supervised if not query.has_finished])
                stopping.wait(_LOOK_EVERY_S / 10 if self.each_to_its_end else _LOOK_EVERY_S)
                if (back := clock.set_back_by()) and not self.each_to_its_end:
                    reason = f"the clock was set back by {format_duration(back)}"
                    self._begin_again(supervised, reason)
        finally:
            stop_queries([query.stream for query in supervised if query.stream])

    def _supervised(self) -> list[SupervisedQuery]:
        """Return the queries, none of which has started, each with the one that it starts after."""
        is_live = not self.each_to_its_end
        by_name = {
            name: SupervisedQuery(name, start, is_live and name in REAL_TIME_QUERIES)
            for name, start in self.starts.items()
        }
        for name, before in self.after.items():
            if name in by_name:
                by_name[name].after = by_name.get(before)
        return list(by_name.values())

    def _start_or_restart(self, query: SupervisedQuery) -> None:
        """Start the query if it is due; if it has ended, note that or plan a restart."""
        if query.has_finished or query.is_running:
            return
        try:
            if query.has_just_ended:
                query.note_end()
            elif time.monotonic() >= query.restart_at:
                query.begin()
                self.report_state(query.name, "running")
        except (NoBroker, JvmEnded):  # it waits, or all queries end with their JVM
            raise
        except UserError as error:
            self.report_state(query.name, "stopped", str(error))
            raise
        except Exception as error:  # whatever the query died of, it is started again
            if is_connection_lost(error):
                raise
            reason = root_cause(error)
            try:
                failure = self.find_lasting_failure(query.name, error)
            except (NoBroker, JvmEnded):
                raise
            except UserError as other:  # such as a torn checkpoint, which no restart mends either
                failure = f"The query {query.name} died: {reason}\n{other}"
            except (KafkaError, Py4JJavaError):  # it is looked for again if the query dies again
                failure = None
            if failure:
                self.report_state(query.name, "stopped", reason)
                raise UserError(failure) from error
            self._plan_restart(query, error, reason)

    def _begin_again(self, supervised: Iterable[SupervisedQuery], reason: str) -> None:
        """Stop the queries that run, which are then due to start again."""
        running = [query for query in supervised if query.is_running]
        stop_queries([query.stream for query in running if query.stream])
        for query in running:
            query.stream = None
            self.report_state(query.name, "restarting", reason)

    def _wait_for_broker(self, query: SupervisedQuery, error: NoBroker) -> None:
        query.restart_at = time.monotonic() + NO_BROKER_RETRY_S
        if not query.waits_for_broker:  # said once, not at each attempt
            query.waits_for_broker = True
            waits = f"{error} The query waits until a broker answers."
            self.report_state(query.name, "restarting", waits)

    def _plan_restart(self, query: SupervisedQuery, error: Exception, reason: str) -> None:
        if query.has_done_something:
            query.failures = 0  # so this is a new failure
        query.failures += 1
        if query.failures > ATTEMPTS:
            self.report_state(query.name, "stopped", reason)
            raise UserError(
                f"The query {query.name} died {query.failures} times and is not restarted again: "
                f"{reason}\n{advice(causes(error))}"
            ) from error
        delay = 2.0 ** (query.failures - 1)
        query.restart_at = time.monotonic() + delay
        attempt = f"{reason} (attempt {query.failures}, in {delay:g} s)"
        self.report_state(query.name, "restarting", attempt)


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
