"""`nest ready`: whether the counts are up to date and no query is in trouble."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from contract.counts import Counts
from contract.errors import UserError
from contract.kafka.connections import ends_by_partition, open_consumer
from contract.kafka.log_offsets import end_offsets, has_reached
from contract.polling import poll_until
from contract.progress import READ_BACK, ProgressLog, QueryProgress
from contract.quantities import format_quantity
from contract.queries import BATCHED_FROM_NEST_LOGS, Query
from contract.settings import Settings
from contract.topics import NEST_LOGS

_STATES = {
    "waiting": "waits to be started",
    "running": "was restarted",
    "restarting": "is restarting",
    "stopped": "has stopped",
}


@dataclass(frozen=True)
class QueryHealth:
    """How a query does: a sentence for people, and whether that is well."""

    sentence: str
    is_well: bool


def require_ready(settings: Settings, within: float) -> list[str]:
    """Return a line on each query once all that is in nest-logs now has been counted.

    The other queries may be behind, but not silent, restarting or stopped by an error. ``within``
    is in seconds. Raises UserError naming each query that is not well by then. Without a message or
    a count there is no report, which is not ready. Where there is no message at first, those are
    awaited that are there with the first count.
    """
    ends = end_offsets(settings.kafka)
    has_begun = any(ends.values())
    progress, counts = ProgressLog(READ_BACK), Counts()
    health: list[QueryHealth] = []
    with open_consumer(settings.kafka) as consumer:

        def is_ready() -> bool:
            nonlocal ends, has_begun
            progress.refresh(consumer)
            if not counts.by_key:
                counts.refresh(consumer)
            ends_now = ends_by_partition(consumer, NEST_LOGS.name)
            if not has_begun:
                ends = ends_now
                has_begun = any(ends.values()) and bool(counts.by_key)
            latest = {
                name: replace(each, end_offsets=progress.committed_offsets(name, ends_now))
                for name, each in progress.latest.items()
            }
            health[:] = judge_queries(
                latest, progress.reported_at, ends, settings.queries, datetime.now(UTC)
            )
            return has_begun and bool(counts.by_key) and all(query.is_well for query in health)

        try:
            poll_until(is_ready, "the queries", within, interval=0.3)
        except TimeoutError:
            if not any(ends.values()):
                raise UserError("There is no message in nest-logs yet.") from None
            troubles = [query.sentence for query in health if not query.is_well]
            sentences = "\n".join(troubles or ["There is no count yet."])
            raise UserError(f"{sentences}\nNot ready within {within:g} s.") from None
    return [query.sentence for query in health]


def judge_queries(
    latest: Mapping[str, QueryProgress],
    reported_at: Mapping[str, datetime],
    ends: Mapping[int, int],
    queries: Collection[str],
    now: datetime,
) -> list[QueryHealth]:
    """Judge each of the queries by its latest progress and the ends of nest-logs, by partition.

    ``reported_at`` is when each query last reported anything, UTC.

    One that runs and is silent was killed, also where it has read everything. A query that does not
    commit nest-logs in micro-batches, such as one that follows a Delta table, may be behind, and is
    left out if it has never run.
    """
    health = []
    for name in queries:
        progress, has_offsets = latest.get(name), name in BATCHED_FROM_NEST_LOGS
        if progress is None and not has_offsets:
            continue
        # A query that was restarted may die of the same again, until it has done a batch.
        is_behind = has_offsets and progress and not has_reached(progress.end_offsets, ends)
        if progress and progress.reason and (is_behind or progress.state != "running"):
            sentence = f"{name} {_STATES[progress.state]}: {progress.reason}."
            health.append(QueryHealth(sentence, False))
        elif progress and progress.silent_for(reported_at[name], now):
            sentence = f"{name} is silent: {_last_heard_of(reported_at[name], now)}."
            health.append(QueryHealth(sentence, False))
        elif has_offsets:
            health.append(_judge_offsets(name, progress, reported_at, ends, now))
        elif progress:
            health.append(QueryHealth(f"{name} is {progress.state}.", True))
    return health


def _judge_offsets(
    name: str,
    progress: QueryProgress | None,
    reported_at: Mapping[str, datetime],
    ends: Mapping[int, int],
    now: datetime,
) -> QueryHealth:
    if progress is None or not progress.end_offsets:
        return QueryHealth(f"{name} has committed no batch yet.", False)
    left = sum(max(0, end - progress.end_offsets.get(n, 0)) for n, end in ends.items())
    if not left:
        return QueryHealth(f"{name} is up to date.", True)
    to_go = f"{format_quantity(left, 'message')} to go, {_last_heard_of(reported_at[name], now)}"
    if progress.state == "stopped":
        return QueryHealth(f"{name} has stopped: {to_go}.", False)
    return QueryHealth(f"{name} is behind: {to_go}.", name != Query.STATS)


def _last_heard_of(reported_at: datetime, now: datetime) -> str:
    age = max(timedelta(), now - reported_at)
    return f"last heard of {age.total_seconds():,.0f} s ago"
