"""Whether the pipeline and its queries run, judged by what they have last reported."""

from collections.abc import Mapping
from datetime import datetime

from contract.queries import BATCHED_FROM_NEST_LOGS
from monitoring.kafka_readings import KafkaReadings


def queries_up(readings: KafkaReadings, now: datetime) -> Mapping[str, bool]:
    """Return by query whether it runs; those that have never reported are left out.

    A killed pipeline cannot report that. It is noticed by messages that wait while the queries
    which read them are silent, and then no query runs. One that is silent because there is nothing
    to read is up, and so is one in a batch that is not much longer than its last ones.
    """
    is_up = {
        query: progress.state == "running" and not _is_stalled(readings, query, now)
        for query, progress in readings.progress.items()
    }
    is_alive = pipeline_up(is_up)
    return {query: up and is_alive for query, up in is_up.items()}


def pipeline_up(queries: Mapping[str, bool]) -> bool:
    """Return whether one of the queries that read nest-logs in batches runs."""
    return any(queries.get(query, False) for query in BATCHED_FROM_NEST_LOGS)


def _is_stalled(readings: KafkaReadings, query: str, now: datetime) -> bool:
    if query not in BATCHED_FROM_NEST_LOGS or not any(readings.lag(query).values()):
        return False  # nothing tells whether it should have done something
    return now - readings.reported_at[query] > readings.progress[query].silence_limit
