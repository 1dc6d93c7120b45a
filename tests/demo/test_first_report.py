"""The first report is there when every message of the history is counted, not before."""

import os
import signal
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from contract.instants import whole_hour
from contract.progress import QueryProgress
from contract.settings import Settings, load_settings
from contract.stats import encode_key, hour_key
from contract.topics import CAMERA_STATS, NEST_LOGS, PIPELINE_PROGRESS
from demo.health.first_report import wait_for_first_report
from demo.stack.broker import Broker
from demo.stack.ports import free_port
from demo.stack.services import Services
from tests.fixtures.kafka import GIVES_UP_SOON, append, renew_topics

pytestmark = pytest.mark.kafka

NOW = datetime.now(UTC)
HOUR = whole_hour(NOW)
COUNTED = encode_key(hour_key("94304", HOUR))


def test_the_wait_ends_when_the_stats_query_has_committed_the_history(fresh_topics: str) -> None:
    def send(topic: str, key: bytes, value: bytes, moment: datetime | None = None) -> None:
        at = int(moment.timestamp() * 1000) if moment else None
        partition = 0 if topic == NEST_LOGS.name else None
        append(fresh_topics, topic, (key, value), partition=partition, timestamp=at)

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
            lambda: commit("stats", 500),  # of an earlier topic
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
    assert len(seen) == 8


def test_a_producer_that_pauses_in_the_midst_of_the_history_does_not_end_the_wait(
    fresh_topics: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The topic stands still three hours ago: a thousand homes are never silent for so long."""
    monkeypatch.setattr("demo.health.first_report._STANDSTILL_S", 0)
    _count_one_message(fresh_topics, NOW - timedelta(hours=3))
    looks = count()

    def on_progress(counted: int, in_kafka: int) -> None:
        if next(looks) == 3:  # the producer is back
            _count_one_message(fresh_topics, NOW, offset=2)

    wait_for_first_report(Settings(bootstrap_servers=fresh_topics), NOW, on_progress)
    assert next(looks) > 3


def test_who_is_told_of_the_progress_may_start_a_killed_kafka_again(tmp_path: Path) -> None:
    broker = Broker(load_settings(), tmp_path / "kafka", tmp_path / "kafka.log", free_port())
    services = Services(report=lambda line: None, on_spawn=lambda name, pid: None)
    services.start(broker)
    renew_topics(broker.bootstrap_servers)
    killed = []

    def on_progress(counted: int, in_kafka: int) -> None:
        if not killed:
            _count_one_message(broker.bootstrap_servers)
            killed.append(broker.pid)
            os.kill(broker.pid, signal.SIGKILL)
        services.keep_running()

    settings = Settings(bootstrap_servers=broker.bootstrap_servers, kafka_options=GIVES_UP_SOON)
    try:
        counts = wait_for_first_report(settings, NOW, on_progress)
        assert broker.pid not in killed
    finally:
        services.stop()
    assert list(counts.by_key.values()) == [7]


def _count_one_message(bootstrap_servers: str, moment: datetime = NOW, offset: int = 1) -> None:
    progress = QueryProgress("stats", "running", "2026-11-20T10:00:00Z", 1, end_offsets={0: offset})
    at = int(moment.timestamp() * 1000)
    append(bootstrap_servers, NEST_LOGS.name, (b"k", b"v"), partition=0, timestamp=at)
    append(bootstrap_servers, CAMERA_STATS.name, (COUNTED, b"7"))
    append(bootstrap_servers, PIPELINE_PROGRESS.name, progress.encode())
