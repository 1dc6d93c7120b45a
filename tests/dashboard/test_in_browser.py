"""The dashboard as `nest dashboard` serves it, in a real Chromium."""

import http.client
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from contract.stats import StatsKey, encode_key
from dashboard.serve import LOOPBACK, dashboard_command
from demo.parts import Part
from demo.ports import answers, free_port
from tests.dashboard.records import send

SIZES = {"desktop": (1280, 800), "phone": (390, 844)}
SLOW = 30_000
"""How long a busy machine may take, milliseconds."""


@contextmanager
def served(bootstrap_servers: str, folder: Path) -> Iterator[int]:
    """Serve the dashboard as a process of its own; gives its port."""
    port = free_port()
    with Part(
        "Dashboard",
        dashboard_command(port),
        log=folder / "dashboard.log",
        environment={**os.environ, "NEST_BOOTSTRAP_SERVERS": bootstrap_servers},
        ready=lambda: answers(port),
    ):
        yield port


def day_of_counts(newest: datetime, factor: int) -> list[tuple[bytes, bytes]]:
    """Return the counts of three zip codes: 0, 1, .. 23 times the factor, back from an hour."""
    records = []
    for hours_ago in range(24):
        start = newest - timedelta(hours=hours_ago)
        for zip_code in ("94304", "94043", "unknown"):
            key = StatsKey(zip_code, start, start + timedelta(hours=1))
            records.append((encode_key(key), str(hours_ago * factor).encode()))
    return records


def figure(page: Page, label: str):
    return page.get_by_test_id("stMetric").filter(has_text=label).get_by_test_id("stMetricValue")


@pytest.mark.kafka
@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_a_viewer_sees_numbers_that_refresh_and_chooses_a_threshold(
    fresh_topics, chromium, tmp_path, size
):
    hour = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    send(fresh_topics, *day_of_counts(hour, factor=100))
    width, height = SIZES[size]
    with served(fresh_topics, tmp_path) as port:
        address = f"http://localhost:{port}/"
        page = chromium.new_page(
            viewport={"width": width, "height": height}, timezone_id="America/New_York"
        )
        asked: set[str | None] = set()
        wrong: list[str] = []
        page.on("request", lambda request: asked.add(urlsplit(request.url).hostname))
        page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
        page.goto(address, timeout=SLOW)

        expect(figure(page, "Sightings")).to_have_text("82,800", timeout=SLOW)
        expect(figure(page, "Reported, above 1,000")).to_have_text("39")
        expect(page.get_by_text("Hours are in America/New_York")).to_be_attached()
        expect(page.get_by_test_id("stDataFrame").locator("canvas").first).to_be_visible()
        expect(page.locator(".vega-embed canvas, .vega-embed svg").first).to_be_visible()
        page.screenshot(path=tmp_path / f"{size}.png", full_page=True)
        too_wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert too_wide <= 0

        page.get_by_role("spinbutton").fill("2000")
        page.get_by_role("spinbutton").press("Enter")
        expect(figure(page, "Reported, above 2,000")).to_have_text("9", timeout=SLOW)
        expect(page).to_have_url(f"{address}?threshold=2000")

        # A refresh draws new numbers into the same elements: nothing flickers or is lost.
        page.get_by_test_id("stDataFrame").evaluate("element => element.dataset.mark = 'same'")
        send(fresh_topics, *day_of_counts(hour, factor=200))
        expect(figure(page, "Sightings")).to_have_text("165,600", timeout=SLOW)
        expect(figure(page, "Reported, above 2,000")).to_have_text("39")
        expect(page.get_by_test_id("stDataFrame")).to_have_attribute("data-mark", "same")

        page.reload()
        expect(page.get_by_role("spinbutton")).to_have_value("2000", timeout=SLOW)
        expect(figure(page, "Reported, above 2,000")).to_have_text("39", timeout=SLOW)
        assert asked == {"localhost"}
        assert wrong == []


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("localhost", "http://localhost", http.client.SWITCHING_PROTOCOLS),
        ("localhost", "http://elsewhere.example", http.client.FORBIDDEN),
        ("elsewhere.example", "http://elsewhere.example", http.client.FORBIDDEN),
    ],
)
def test_only_pages_of_this_machine_can_talk_to_the_dashboard(tmp_path, host, origin, status):
    with served("localhost:1", tmp_path) as port:
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


def test_the_dashboard_listens_on_loopback_unless_told_otherwise():
    assert "--server.address=127.0.0.1" in dashboard_command(8501)
    elsewhere = dashboard_command(8501, "0.0.0.0")  # noqa: S104
    assert "--server.address=0.0.0.0" in elsewhere
    assert not [word for word in elsewhere if "allowedHosts" in word]


@pytest.mark.parametrize("address", ["127.0.0.1", "0.0.0.0"])  # noqa: S104
def test_streamlits_own_protection_stays_on_and_nothing_is_sent_home(address):
    words = dashboard_command(8501, address)
    assert "--browser.gatherUsageStats=false" in words
    assert not [word for word in words if "enableCORS" in word or "enableXsrf" in word]
