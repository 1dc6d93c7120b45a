"""Who can reach the dashboard, and what it sends to others."""

import http.client
from pathlib import Path

import pytest

from dashboard.serve import LOOPBACK, dashboard_command
from tests.dashboard.served_dashboard import served_dashboard


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("localhost", "http://localhost", http.client.SWITCHING_PROTOCOLS),
        ("localhost", "http://elsewhere.example", http.client.FORBIDDEN),
        ("elsewhere.example", "http://elsewhere.example", http.client.FORBIDDEN),
    ],
)
def test_only_pages_of_this_machine_can_connect_to_the_dashboard(
    tmp_path: Path, host: str, origin: str, status: int
):
    with served_dashboard("localhost:1", tmp_path) as port:
        connection = http.client.HTTPConnection(LOOPBACK, port, timeout=10)
        headers = {
            "Host": f"{host}:{port}",
            "Origin": f"{origin}:{port}",
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "MDEyMzQ1Njc4OWFiY2RlZg==",
        }
        connection.request("GET", "/_stcore/stream", headers=headers)
        assert connection.getresponse().status == status
        connection.close()


def test_the_dashboard_listens_on_loopback_unless_another_address_is_given():
    assert "--server.address=127.0.0.1" in dashboard_command(8501)
    on_all_addresses = dashboard_command(8501, "0.0.0.0")  # noqa: S104
    assert "--server.address=0.0.0.0" in on_all_addresses
    assert not [argument for argument in on_all_addresses if "allowedHosts" in argument]


@pytest.mark.parametrize("address", ["127.0.0.1", "0.0.0.0"])  # noqa: S104
def test_streamlits_own_protection_is_on_and_its_usage_statistics_are_off(address: str):
    arguments = dashboard_command(8501, address)
    assert "--browser.gatherUsageStats=false" in arguments
    assert not [each for each in arguments if "enableCORS" in each or "enableXsrf" in each]
