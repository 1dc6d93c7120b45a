"""Whether the pipeline and its queries run, judged by what they have last reported."""

from collections.abc import Mapping
from datetime import datetime

from contract.queries import BATCHED_FROM_NEST_LOGS
from monitoring.kafka_readings import KafkaReadings


def queries_up(readings: KafkaReadings, now: datetime) -> Mapping[str, bool]:
    """Return by query whether it runs; those that have never reported are left out.

    A killed pipeline cannot report that. It is noticed by its silence, and then no query runs. One
    that has nothing to read, or is in a long batch, says every ten seconds that it runs.
    """
    is_up = {
        query: progress.state in ("waiting", "running")
        and progress.silent_for(readings.reported_at[query], now) is None
        for query, progress in readings.progress.items()
    }
    is_alive = pipeline_up(is_up)
    return {query: up and is_alive for query, up in is_up.items()}


def pipeline_up(queries: Mapping[str, bool]) -> bool:
    """Return whether one of the queries that read nest-logs in batches runs."""
    return any(queries.get(query, False) for query in BATCHED_FROM_NEST_LOGS)
