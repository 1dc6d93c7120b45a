"""The report that is followed: whole once the history is counted, then each row that joins it."""

from datetime import UTC, datetime

import pytest

from contract.instants import whole_hour
from contract.progress import QueryProgress, State
from contract.settings import Settings
from contract.stats import encode_key, hour_key
from contract.topics import CAMERA_STATS, NEST_LOGS, PIPELINE_PROGRESS
from demo.commands.follow_report import follow_report
from tests.fixtures.kafka import append

pytestmark = pytest.mark.kafka

HOUR = whole_hour(datetime.now(UTC))


def send_progress_of_counts(bootstrap_servers: str, state: State, committed: int) -> None:
    progress = QueryProgress("stats", state, "2026-11-20T10:00:00Z", 1, end_offsets={0: committed})
    append(bootstrap_servers, PIPELINE_PROGRESS.name, progress.encode(), partition=0)


def test_a_row_is_printed_once_when_it_joins_the_report(fresh_topics: str) -> None:
    def send(topic: str, key: bytes, value: bytes) -> None:
        append(fresh_topics, topic, (key, value), partition=0)

    def count(zip_code: str, people: int) -> None:
        key = encode_key(hour_key(zip_code, HOUR))
        send(CAMERA_STATS.name, key, b"%d" % people)

    count("94304", 20)
    count("94301", 5)
    send(NEST_LOGS.name, b"home", b"{}")
    send_progress_of_counts(fresh_topics, "running", 1)

    said: list[str] = []
    reports = follow_report(Settings(bootstrap_servers=fresh_topics), 10, said.append)
    assert [(row.zip_code, row.count) for row in next(reports)] == [("94304", 20)]
    count("94304", 21)  # it is in the report already
    count("94301", 11)
    count("01002", 12)
    assert [(row.zip_code, row.count) for row in next(reports)] == [("01002", 12), ("94301", 11)]
    assert said == []


def test_it_is_said_what_is_awaited(fresh_topics: str) -> None:
    append(fresh_topics, NEST_LOGS.name, *[(b"home", b"{}")] * 2, partition=0)
    send_progress_of_counts(fresh_topics, "stopped", 1)
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        send_progress_of_counts(fresh_topics, "running", 2)

    reports = follow_report(Settings(bootstrap_servers=fresh_topics), 10, say)
    assert next(reports) == []
    assert said == [
        "Waiting until a running pipeline has counted the history: 1 of 2 messages in Kafka so far."
    ]
