"""Who can reach the dashboard, and what it sends to others."""

import http.client
import signal
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from dashboard.serve import LOOPBACK, dashboard_command
from tests.dashboard.served_dashboard import served_dashboard

ALL_ADDRESSES = "0.0.0.0"  # noqa: S104
WEBSOCKET = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "MDEyMzQ1Njc4OWFiY2RlZg==",
}


def status_of(port: int, path: str, headers: dict[str, str]) -> int:
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=10)
    connection.putrequest("GET", path, skip_host=True)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    try:
        return connection.getresponse().status
    finally:
        connection.close()


@pytest.fixture(scope="module", params=[LOOPBACK, ALL_ADDRESSES])
def served_port(request: pytest.FixtureRequest, tmp_path_factory) -> Iterator[int]:
    """Port of a dashboard on loopback, and of one on all addresses, as in a container."""
    folder = tmp_path_factory.mktemp("served")
    with served_dashboard("localhost:1", folder, address=request.param) as port:
        yield port


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("localhost", "http://localhost", http.client.SWITCHING_PROTOCOLS),
        (LOOPBACK, f"http://{LOOPBACK}", http.client.SWITCHING_PROTOCOLS),
        ("localhost", "http://elsewhere.example", http.client.FORBIDDEN),
        ("elsewhere.example", "http://elsewhere.example", http.client.FORBIDDEN),
    ],
)
def test_only_pages_of_this_machine_can_connect_to_the_dashboard(
    served_port: int, host: str, origin: str, status: int
):
    headers = {"Host": f"{host}:{served_port}", "Origin": f"{origin}:{served_port}", **WEBSOCKET}
    assert status_of(served_port, "/_stcore/stream", headers) == status


@pytest.mark.parametrize("path", ["/", "/live", "/_stcore/health", "/_stcore/host-config"])
@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", http.client.OK),
        ("localhost:8600", http.client.OK),
        ("LOCALHOST.:8501", http.client.OK),
        ("127.0.0.1:8501", http.client.OK),
        ("elsewhere.example", http.client.FORBIDDEN),
        ("elsewhere.example:8501", http.client.FORBIDDEN),
        ("localhost.elsewhere.example", http.client.FORBIDDEN),
        ("127.0.0.1.elsewhere.example:8501", http.client.FORBIDDEN),
        ("localhost@elsewhere.example", http.client.FORBIDDEN),
        ("192.0.2.1:8501", http.client.FORBIDDEN),
        ("[::1", http.client.FORBIDDEN),
    ],
)
def test_pages_are_for_the_dashboards_own_host_names(
    served_port: int, host: str, status: int, path: str
):
    assert status_of(served_port, path, {"Host": host}) == status


def test_the_style_is_in_every_page_before_anything_is_drawn(served_port: int):
    for path in ("/", "/live"):
        connection = http.client.HTTPConnection(LOOPBACK, served_port, timeout=10)
        headers = {"Accept": "text/html,*/*;q=0.8", "Accept-Encoding": "gzip, br"}
        connection.request("GET", path, headers=headers)
        head, _, _ = connection.getresponse().read().decode().partition("</head>")
        connection.close()
        assert "focus-visible" in head


def test_a_setting_adds_the_name_of_a_proxy(tmp_path: Path):
    names = "localhost, cameras.example.com"
    with served_dashboard(
        "localhost:1", tmp_path, address=ALL_ADDRESSES, dashboard_hosts=names
    ) as port:
        for host, can_open in (("cameras.example.com", True), ("other.example.com", False)):
            assert (status_of(port, "/", {"Host": host}) == http.client.OK) is can_open
            headers = {"Host": host, "Origin": f"http://{host}", **WEBSOCKET}
            status = status_of(port, "/_stcore/stream", headers)
            assert (status == http.client.SWITCHING_PROTOCOLS) is can_open


def test_the_dashboard_listens_on_loopback_unless_another_address_is_given():
    assert "--server.address=127.0.0.1" in dashboard_command(8501)
    assert "--server.address=0.0.0.0" in dashboard_command(8501, ALL_ADDRESSES)


@pytest.mark.parametrize("address", [LOOPBACK, ALL_ADDRESSES])
def test_streamlits_own_protection_is_on_and_its_usage_statistics_are_off(address: str):
    arguments = dashboard_command(8501, address)
    assert "--browser.gatherUsageStats=false" in arguments
    assert not [each for each in arguments if "enableCORS" in each or "enableXsrf" in each]


def test_tables_offer_no_export_besides_the_pages_own_downloads():
    assert "--client.disableDataExport=true" in dashboard_command(8501)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_dashboard_that_is_told_to_stop_ends_with_0(tmp_path: Path, number: signal.Signals):
    with served_dashboard("localhost:1", tmp_path) as port:
        command = f"--server.port={port}"
        (process,) = [
            each for each in psutil.Process().children() if command in " ".join(each.cmdline())
        ]
        process.send_signal(number)
        assert process.wait(30) == 0
