"""The first report is there when every message of the history is counted, not before."""

from datetime import UTC, datetime, timedelta

import pytest
from kafka import KafkaProducer

from contract.progress import QueryProgress
from contract.settings import Settings
from contract.stats import StatsKey, encode_key
from contract.topics import CAMERA_STATS, NEST_LOGS, PIPELINE_PROGRESS
from demo.health.first_report import wait_for_first_report

pytestmark = pytest.mark.kafka

NOW = datetime.now(UTC)
HOUR = NOW.replace(minute=0, second=0, microsecond=0)
COUNTED = encode_key(StatsKey("94304", HOUR, HOUR + timedelta(hours=1)))


def test_the_wait_ends_when_the_stats_query_has_committed_the_history(fresh_topics: str) -> None:
    producer = KafkaProducer(bootstrap_servers=fresh_topics, acks="all")

    def send(topic: str, key: bytes, value: bytes, moment: datetime | None = None) -> None:
        at = int(moment.timestamp() * 1000) if moment else None
        partition = 0 if topic == NEST_LOGS.name else None
        future = producer.send(topic, key=key, value=value, timestamp_ms=at, partition=partition)
        future.get(timeout=10)

    def commit(query: str, offset: int) -> None:
        progress = QueryProgress(
            query, "running", "2026-11-20T10:00:00Z", 1, end_offsets={0: offset}
        )
        send(PIPELINE_PROGRESS.name, *progress.encode())

    # One step of the world each time that the waiting one looks.
    steps = iter(
        [
            lambda: send(NEST_LOGS.name, b"k", b"v", NOW - timedelta(hours=3)),
            lambda: commit("stats", 1),  # all that there is, but the history is not over
            lambda: send(NEST_LOGS.name, b"k", b"v", NOW - timedelta(seconds=5)),
            lambda: commit("archive", 2),  # another query's progress does not count
            lambda: send(CAMERA_STATS.name, COUNTED, b"7"),
            lambda: commit("stats", 2),
        ]
    )
    seen = []

    def on_progress(counted: int, in_kafka: int) -> None:
        seen.append((counted, in_kafka))
        next(steps, lambda: None)()

    counts = wait_for_first_report(Settings(bootstrap_servers=fresh_topics), NOW, on_progress)
    assert list(counts.by_key.values()) == [7]
    assert seen[-1] == (2, 2)
    assert len(seen) == 7
    producer.close()
