"""Keep the queries running: restart one that dies, and end rather than go on without it."""

import re
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from pyspark.sql.streaming.query import StreamingQuery

from contract.errors import UserError
from contract.polling import poll_until
from contract.progress import State

ATTEMPTS = 5
"""Restarts in a row before the application gives up: after 1, 2, 4, 8 and 16 s."""
STOP_WAIT_S = 10.0
"""How long a running batch may take when the application is told to stop."""

_RECORDS_ARE_GONE = (
    "data may have been lost",
    "faildataloss",
    "data_loss",
    "offset out of range",
    "offsetoutofrange",
    "was changed from",
)

_CAUSE = re.compile(r"(?:Caused by: )?([\w.$]*(?:Error|Exception|Interrupt)\w*: .+)")
"""A line of a Java or Python stack trace that names an exception."""


class Announce(Protocol):
    """Told of every change of a query's state."""

    def __call__(self, query: str, state: State, reason: str | None = None) -> None:
        """Take note."""


@dataclass
class _Watched:
    start: Callable[[], StreamingQuery]
    query: StreamingQuery | None = None
    failures: int = 0
    restart_at: float = 0.0
    done: bool = False


def supervise(
    starts: Mapping[str, Callable[[], StreamingQuery]],
    stopping: threading.Event,
    announce: Announce,
) -> dict[str, StreamingQuery]:
    """Start the queries and keep them running until they are through or ``stopping`` is set.

    Returns the queries, all of them ended. Raises UserError, with the query, the reason and what
    to do, when one has died again and again; the others have been stopped then.
    """
    watched = {name: _Watched(start) for name, start in starts.items()}
    try:
        while not stopping.is_set() and not all(watch.done for watch in watched.values()):
            for name, watch in watched.items():
                _look_after(name, watch, announce)
            stopping.wait(0.1)
    finally:
        queries = {name: watch.query for name, watch in watched.items() if watch.query}
        stop_queries(list(queries.values()))
    return queries


def _look_after(name: str, watch: _Watched, announce: Announce) -> None:
    """Start the query if it is due; notice its end."""
    now = time.monotonic()
    if watch.done or (watch.query is not None and watch.query.isActive):
        return
    try:
        if watch.query is not None and not watch.restart_at:
            error = watch.query.exception()
            if error is None:
                watch.done = True
                return
            raise error
        if now >= watch.restart_at:
            watch.query, watch.restart_at = None, 0.0
            watch.query = watch.start()
            announce(name, "running")
    except UserError:
        raise
    except Exception as error:  # whatever a query dies of, the answer is the same
        _plan_restart(name, watch, error, announce)


def _plan_restart(name: str, watch: _Watched, error: Exception, announce: Announce) -> None:
    reason = reason_of(error)
    if watch.query is not None and watch.query.lastProgress is not None:
        watch.failures = 0  # it got through a batch: this is another trouble than the last
    watch.failures += 1
    if watch.failures > ATTEMPTS:
        announce(name, "stopped", reason)
        raise UserError(
            f"The query {name} died {watch.failures} times and is not restarted again: {reason}\n"
            f"{advice(reason)}"
        ) from error
    delay = 2.0 ** (watch.failures - 1)
    watch.restart_at = time.monotonic() + delay
    announce(name, "restarting", f"{reason} (attempt {watch.failures}, in {delay:g} s)")


def stop_queries(queries: list[StreamingQuery], wait: float = STOP_WAIT_S) -> None:
    """Stop the queries, giving a running batch ``wait`` seconds to finish.

    A batch that is interrupted is run again at the next start, from the same offsets.
    """
    deadline = time.monotonic() + wait
    for query in queries:
        with suppress(TimeoutError):
            poll_until(
                lambda query=query: not (query.isActive and query.status["isTriggerActive"]),  # type: ignore[misc]
                "the end of the running batch",
                timeout=max(0.0, deadline - time.monotonic()),
                interval=0.02,
            )
        query.stop()


def reason_of(error: Exception) -> str:
    """Return the innermost cause of a query's death in one line."""
    lines = str(error).splitlines() or [type(error).__name__]
    causes = [match.group(1) for text in lines if (match := _CAUSE.match(text))]
    return (causes[-1] if causes else lines[0]).strip()


def advice(reason: str) -> str:
    """Say what to do about a reason."""
    lowered = reason.lower()
    if "timeout" in lowered or "connection" in lowered or "disconnect" in lowered:
        return "Kafka did not answer: see that the broker runs and NEST_BOOTSTRAP_SERVERS is right."
    if any(sign in lowered for sign in _RECORDS_ARE_GONE):
        return (
            "Records that the query had still to read are gone from Kafka, or the topic was made "
            "anew. To go on without them: NEST_FAIL_ON_DATA_LOSS=false; to begin anew: nest reset."
        )
    if "bootstrap" in lowered:
        return "Kafka did not answer: see that the broker runs and NEST_BOOTSTRAP_SERVERS is right."
    if "kafka.sql" in lowered or "failed to find data source" in lowered:
        return "The connector's jars are not there: `nest jars` fetches them."
    if "outofmemory" in lowered or "java heap space" in lowered:
        return (
            "Give Spark more with NEST_SPARK_MEMORY, or keep the sightings on disk: rebuild the "
            "counts with NEST_STATE_STORE=rocksdb and `nest pipeline --rebuild-counts`."
        )
    if "no space left" in lowered:
        return "Make room on the disk and start again; nothing is lost."
    return "Start again with NEST_LOG_LEVEL=info to see more; what was read so far is not lost."
