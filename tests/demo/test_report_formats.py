"""`nest report` on a real compacted topic, as a user calls it."""

import csv
import io
import json
import subprocess
from datetime import UTC, datetime, timedelta

import pytest

from contract.stats import encode_key, hour_key
from contract.topics import CAMERA_STATS
from tests.fixtures.kafka import GIVES_UP_SOON, append
from tests.fixtures.nest_command import nest
from tests.sample.small_run import TOKEN

pytestmark = pytest.mark.kafka

TEN = datetime(2026, 11, 20, 10, tzinfo=UTC)


def key(zip_code: str, start: datetime = TEN) -> bytes:
    return encode_key(hour_key(zip_code, start))


def report(bootstrap_servers: str, *options: str) -> subprocess.CompletedProcess[str]:
    return nest("report", *options, NEST_BOOTSTRAP_SERVERS=bootstrap_servers)


@pytest.fixture
def counted(fresh_topics: str) -> str:
    append(
        fresh_topics,
        CAMERA_STATS.name,
        (key("94304"), b"900"),
        (key("01002"), b"1500"),
        (key("94304"), b"1234"),  # supersedes 900
        (key("94301"), b"2000"),
        (key("94301"), None),  # a tombstone takes it away
        (b"not a key", b"7"),
        (key("94305"), b"many"),
        (key("unknown", TEN + timedelta(hours=1)), b"1000"),
    )
    return fresh_topics


def test_the_report_holds_the_latest_counts_above_the_threshold(counted: str) -> None:
    done = report(counted, "--format", "json")
    hour = {"window_start": "2026-11-20T10:00:00Z", "window_end": "2026-11-20T11:00:00Z"}
    assert json.loads(done.stdout) == [
        {"zip_code": "01002", **hour, "count": 1500},
        {"zip_code": "94304", **hour, "count": 1234},
    ]
    assert done.returncode == 0


def test_a_record_that_is_no_count_is_reported_and_not_fatal(counted: str) -> None:
    done = report(counted, "--format", "json")
    assert "partition 0 offset 5: not a key" in done.stderr
    assert "partition 0 offset 6: not a count: 'many'" in done.stderr


def test_a_record_that_is_no_count_is_quoted_without_its_credentials(fresh_topics: str) -> None:
    message = b'{"metadata":{"access_token":"%s"}}' % TOKEN.encode()
    append(fresh_topics, CAMERA_STATS.name, (key("94304"), message))
    done = report(fresh_topics)
    assert """not a count: '{"metadata":{"access_token":"***""" in done.stderr
    assert TOKEN[:8] not in done.stderr


def test_csv_has_the_same_rows_and_a_lower_threshold_shows_more(counted: str) -> None:
    done = report(counted, "--format", "csv", "--threshold", "999")
    rows = [(row["zip_code"], row["count"]) for row in csv.DictReader(io.StringIO(done.stdout))]
    assert rows == [("01002", "1500"), ("94304", "1234"), ("unknown", "1000")]


def test_the_table_says_the_hour_in_utc(counted: str) -> None:
    done = report(counted)
    assert "2026-11-20 10:00 to 11:00" in done.stdout
    assert "1,500" in done.stdout


def test_without_a_broker_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEST_KAFKA_OPTIONS", GIVES_UP_SOON)
    done = report("localhost:1")
    assert done.returncode == 1
    assert "No Kafka broker answers at localhost:1" in done.stderr
    assert "Traceback" not in done.stderr
