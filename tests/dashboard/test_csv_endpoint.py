"""The CSV files that the dashboard serves."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from http.client import BAD_REQUEST, NOT_FOUND, OK, SERVICE_UNAVAILABLE, HTTPConnection
from pathlib import Path
from threading import Event
from typing import NamedTuple

import pytest

from contract.counts import report
from contract.polling import poll_until
from dashboard.csv_endpoint import current_value
from dashboard.data.background_value import BackgroundValue
from dashboard.serve import LOOPBACK
from demo.commands.report import as_csv
from tests.dashboard.served_dashboard import PLACES, served_dashboard
from tests.fixtures.kafka import renew_topics
from tests.sample.counts import count, key, send_counts
from tests.sample.lake import append_status, camera

pytestmark = pytest.mark.kafka

COUNTS = {
    (zip_code, hour): 900 + 100 * hour + int(zip_code) % 10
    for zip_code in ("94304", "01002")
    for hour in range(6)
}


class Answer(NamedTuple):
    """What the dashboard answers."""

    status: int
    file_name: str | None
    text: str


def get(port: int, path: str) -> Answer:
    connection = HTTPConnection(LOOPBACK, port, timeout=60)
    connection.request("GET", path)
    response = connection.getresponse()
    disposition = response.headers["Content-Disposition"]
    answer = Answer(
        response.status,
        disposition and disposition.removeprefix('attachment; filename="').removesuffix('"'),
        response.read().decode(),
    )
    connection.close()
    return answer


@pytest.fixture(scope="module")
def port(bootstrap_servers: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Port of a dashboard that no browser has opened, on some counts and cameras."""
    folder: Path = tmp_path_factory.mktemp("csv")
    places = folder / "places.csv"
    places.write_text(PLACES)
    renew_topics(bootstrap_servers)
    send_counts(bootstrap_servers, *(count(*where, value) for where, value in COUNTS.items()))
    append_status(
        folder / "lake",
        camera("a", 0, online=False, name_long="=1+1"),
        camera("b", 0, online=False),
        camera("c", 0),
    )
    with served_dashboard(bootstrap_servers, folder, device_locations=str(places)) as port:
        yield port


@pytest.mark.parametrize(
    ("query", "threshold", "shown"),
    [
        ("", 1000, COUNTS),
        ("?threshold=1200", 1200, COUNTS),
        ("?threshold=0&zip=01002", 0, [each for each in COUNTS if each[0] == "01002"]),
        (
            "?threshold=0&from=2026-11-20T13:00Z&to=2026-11-20T15:00Z",
            0,
            [each for each in COUNTS if each[1] in (1, 2)],
        ),
        ("?zip=94043", 1000, []),
    ],
)
def test_the_report_is_what_the_command_line_prints(
    port: int, query: str, threshold: int, shown: list[tuple[str, int]]
):
    by_key = {key(*where): COUNTS[where] for where in shown}
    printed = as_csv(report(by_key, threshold))
    assert get(port, f"/report.csv{query}") == (OK, "report.csv", f"{printed}\n")


@pytest.mark.parametrize(
    ("query", "names"),
    [("", ["'=1+1", "b Camera"]), ("?zip=94043", ["b Camera"]), ("?zip=unknown", [])],
)
def test_the_offline_cameras_are_those_of_a_zip_code_or_of_all(
    port: int, query: str, names: list[str]
):
    status, file_name, text = get(port, f"/offline_cameras.csv{query}")
    assert (status, file_name) == (OK, "offline_cameras.csv")
    header, *rows = text.splitlines()
    assert header.startswith("name,zip_code,city,offline_since,")
    assert sorted(row.split(",")[0] for row in rows) == names


def test_a_value_that_is_out_of_date_is_not_taken_for_the_current_one():
    limit, is_read = timedelta(seconds=2), Event()

    def values() -> Iterator[str]:
        yield "before"
        is_read.wait(60)
        while True:
            yield "now"

    source = BackgroundValue(values, refresh_interval=0)
    assert current_value(source, "It", limit) == "before"
    poll_until(lambda: source.read().is_unavailable(datetime.now(UTC), limit), "the limit", 60)
    with ThreadPoolExecutor() as threads:
        asked = threads.submit(current_value, source, "It", limit)
        is_read.set()
        assert asked.result(60) == "now"


@pytest.mark.parametrize(
    ("path", "status", "reason"),
    [
        ("/report.csv?threshold=many", BAD_REQUEST, "threshold is not a whole number"),
        ("/report.csv?zip=94304&zip=9430", BAD_REQUEST, "No camera has the zip code"),
        ("/offline_cameras.csv?zip=9430", BAD_REQUEST, "No camera has the zip code"),
        ("/offline_cameras.csv?camera=a", BAD_REQUEST, "The parameter can be zip"),
        ("/cameras.csv", NOT_FOUND, "The CSV files are report.csv and offline_cameras.csv"),
    ],
)
def test_another_address_is_refused_with_the_reason(port: int, path: str, status: int, reason: str):
    answer = get(port, path)
    assert (answer.status, answer.file_name) == (status, None)
    assert answer.text.startswith(reason)
    assert answer.text.count("\n") == 1


def test_without_a_kafka_and_a_lake_there_is_no_file(tmp_path: Path):
    with served_dashboard("localhost:1", tmp_path) as port:
        for path, reason in (
            ("/report.csv", "The counts cannot be read now. No Kafka broker answers"),
            ("/offline_cameras.csv", "The cameras cannot be read now. There is no table"),
        ):
            answer = get(port, path)
            assert (answer.status, answer.file_name) == (SERVICE_UNAVAILABLE, None)
            assert answer.text.startswith(reason)


def test_while_a_source_is_away_the_file_is_refused(tmp_path: Path):
    lake = tmp_path / "lake"
    append_status(lake, camera("a", 0, online=False))
    with served_dashboard("localhost:1", tmp_path) as port:
        assert get(port, "/offline_cameras.csv").status == OK
        lake.rename(tmp_path / "moved")
        gone = poll_until(
            lambda: (answer := get(port, "/offline_cameras.csv")).status != OK and answer,
            "the refusal",
            60,
        )
        assert (gone.status, gone.file_name) == (SERVICE_UNAVAILABLE, None)
        (tmp_path / "moved").rename(lake)
        assert get(port, "/offline_cameras.csv").status == OK
