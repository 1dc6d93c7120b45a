"""The report that is followed: whole once the history is counted, then each row that joins it."""

from datetime import UTC, datetime

import pytest

from contract.instants import whole_hour
from contract.progress import QueryProgress
from contract.settings import Settings
from contract.stats import encode_key, hour_key
from contract.topics import CAMERA_STATS, NEST_LOGS, PIPELINE_PROGRESS
from demo.commands.follow_report import follow_report
from tests.fixtures.kafka import append

pytestmark = pytest.mark.kafka

HOUR = whole_hour(datetime.now(UTC))


def test_a_row_is_printed_once_when_it_joins_the_report(fresh_topics: str) -> None:
    def send(topic: str, key: bytes, value: bytes) -> None:
        append(fresh_topics, topic, (key, value), partition=0)

    def count(zip_code: str, people: int) -> None:
        key = encode_key(hour_key(zip_code, HOUR))
        send(CAMERA_STATS.name, key, b"%d" % people)

    count("94304", 20)
    count("94301", 5)
    send(NEST_LOGS.name, b"home", b"{}")
    progress = QueryProgress("stats", "running", "2026-11-20T10:00:00Z", 1, end_offsets={0: 1})
    send(PIPELINE_PROGRESS.name, *progress.encode())

    reports = follow_report(Settings(bootstrap_servers=fresh_topics), threshold=10)
    assert [(row.zip_code, row.count) for row in next(reports)] == [("94304", 20)]
    count("94304", 21)  # it is in the report already
    count("94301", 11)
    count("01002", 12)
    assert [(row.zip_code, row.count) for row in next(reports)] == [("01002", 12), ("94301", 11)]
