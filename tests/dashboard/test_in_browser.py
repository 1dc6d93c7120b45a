"""The dashboard as `nest dashboard` serves it, in a real Chromium."""

import csv
import http.client
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from kafka import KafkaAdminClient
from playwright.sync_api import Browser, Page, expect

from contract.settings import load_settings
from contract.stats import StatsKey, encode_key
from contract.topics import create_topics
from dashboard.serve import LOOPBACK, dashboard_command
from demo.stack.broker import Broker
from demo.stack.ports import free_port, is_open
from demo.stack.service import Service
from tests.check.small_run import small_run
from tests.dashboard.contrast import faint_texts
from tests.dashboard.count_records import send
from tests.dashboard.progress_records import progress, send_messages, tell
from tests.dashboard.sample_lake import archive, bad, camera, event, quarantine

SIZES = {"desktop": (1280, 800), "phone": (390, 844)}
SLOW = 30_000
"""How long a busy machine may take, milliseconds."""
PLACES = """device_id,zip_code,city,latitude,longitude
a,94304,Palo Alto,37.40,-122.15
b,94043,Mountain View,37.41,-122.08
"""


@contextmanager
def served(bootstrap_servers: str, folder: Path, **settings: str) -> Iterator[int]:
    """Serve the dashboard as a process of its own; gives its port."""
    port = free_port()
    given = {"bootstrap_servers": bootstrap_servers, "lake": str(folder / "lake"), **settings}
    environment = {f"NEST_{name.upper()}": value for name, value in given.items()}
    with Service(
        "Dashboard",
        dashboard_command(port),
        log=folder / "dashboard.log",
        environment={**os.environ, **environment},
        ready=lambda: is_open(port),
    ):
        yield port


def open_page(chromium: Browser, size: str = "desktop", theme: str = "light") -> Page:
    """Open a page that notes what it asks of others and what goes wrong."""
    width, height = SIZES[size]
    page = chromium.new_page(
        viewport={"width": width, "height": height},
        timezone_id="America/New_York",
        color_scheme=theme,  # type: ignore[arg-type]
    )
    page.set_default_timeout(SLOW)
    return page


def day_of_counts(newest: datetime, factor: int) -> list[tuple[bytes, bytes]]:
    """Return the counts of three zip codes: 0, 1, .. 23 times the factor, back from an hour."""
    records = []
    for hours_ago in range(24):
        start = newest - timedelta(hours=hours_ago)
        for zip_code in ("94304", "94043", "unknown"):
            key = StatsKey(zip_code, start, start + timedelta(hours=1))
            records.append((encode_key(key), str(hours_ago * factor).encode()))
    return records


def this_hour() -> datetime:
    return datetime.now(UTC).replace(minute=0, second=0, microsecond=0)


def figure(page: Page, label: str):
    return page.get_by_test_id("stMetric").filter(has_text=label).get_by_test_id("stMetricValue")


@pytest.mark.kafka
@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_a_viewer_sees_numbers_that_refresh_and_chooses_a_threshold(
    fresh_topics, chromium, tmp_path, size
):
    hour = this_hour()
    send(fresh_topics, *day_of_counts(hour, factor=100))
    places = tmp_path / "places.csv"
    places.write_text(PLACES)
    with served(fresh_topics, tmp_path, device_locations=str(places)) as port:
        address = f"http://localhost:{port}/"
        page = open_page(chromium, size)
        asked: set[str | None] = set()
        wrong: list[str] = []
        page.on("request", lambda request: asked.add(urlsplit(request.url).hostname))
        page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
        page.goto(address, timeout=SLOW)

        expect(figure(page, "Sightings")).to_have_text("82,800", timeout=SLOW)
        expect(figure(page, "Reported, above 1,000")).to_have_text("39")
        expect(page.get_by_text("Hours are in America/New_York")).to_be_attached()
        expect(page.get_by_test_id("stDataFrame").locator("canvas").first).to_be_visible()
        expect(page.locator(".vega-embed canvas, .vega-embed svg")).to_have_count(3)
        expect(page.get_by_text("Not on the map, for want of coordinates")).to_be_attached()
        page.screenshot(path=tmp_path / f"{size}.png", full_page=True)
        too_wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert too_wide <= 0

        with page.expect_download(timeout=SLOW) as download:
            page.get_by_role("button", name="Download (CSV, UTC)").click()
        rows = list(csv.DictReader(download.value.path().read_text().splitlines()))
        oldest = hour - timedelta(hours=23)
        assert len(rows) == 39
        assert rows[0] == {
            "zip_code": "94043",
            "window_start": f"{oldest:%Y-%m-%dT%H:%M:%SZ}",
            "window_end": f"{oldest + timedelta(hours=1):%Y-%m-%dT%H:%M:%SZ}",
            "count": "2300",
        }

        page.get_by_role("spinbutton").fill("2000")
        page.get_by_role("spinbutton").press("Enter")
        expect(figure(page, "Reported, above 2,000")).to_have_text("9", timeout=SLOW)
        expect(page).to_have_url(f"{address}?threshold=2000")

        # A refresh draws new numbers into the same elements: nothing flickers or is lost.
        marked = [page.get_by_test_id("stDataFrame"), *page.locator(".vega-embed > *").all()]
        for element in marked:
            element.evaluate("element => element.dataset.mark = 'same'")
        send(fresh_topics, *day_of_counts(hour, factor=200))
        expect(figure(page, "Sightings")).to_have_text("165,600", timeout=SLOW)
        expect(figure(page, "Reported, above 2,000")).to_have_text("39")
        for element in marked:
            expect(element).to_have_attribute("data-mark", "same")

        page.reload()
        expect(page.get_by_role("spinbutton")).to_have_value("2000", timeout=SLOW)
        expect(figure(page, "Reported, above 2,000")).to_have_text("39", timeout=SLOW)
        assert asked == {"localhost"}
        assert wrong == []


@pytest.mark.kafka
@pytest.mark.browser
def test_a_view_can_be_shared_and_is_kept_from_page_to_page(fresh_topics, chromium, tmp_path):
    send(fresh_topics, *day_of_counts(this_hour(), factor=100))
    with served(fresh_topics, tmp_path) as port:
        address = f"http://localhost:{port}/"
        page = open_page(chromium)
        page.goto(f"{address}?threshold=500&zip=94304&hours=24+h")
        expect(figure(page, "Sightings")).to_have_text("27,600", timeout=SLOW)
        expect(figure(page, "Reported, above 500")).to_have_text("18")
        page.get_by_role("link", name="Live").click()
        expect(figure(page, "Messages in")).to_be_visible(timeout=SLOW)
        page.get_by_role("link", name="Report").click()
        expect(figure(page, "Reported, above 500")).to_have_text("18", timeout=SLOW)
        expect(figure(page, "Sightings")).to_have_text("27,600")

        begin = this_hour() - timedelta(hours=2)
        words = f"hours=From%2Fto&from={begin:%Y-%m-%dT%H:%MZ}&to={this_hour():%Y-%m-%dT%H:%MZ}"
        page.goto(f"{address}?{words}")
        expect(figure(page, "Sightings")).to_have_text("900", timeout=SLOW)
        for odd in ("hours=never&threshold=1e999&from=x&to=%00", "zip=%3Cscript%3E", "hours="):
            page.goto(f"{address}?{odd}")
            expect(page.get_by_role("spinbutton")).to_have_value("1000", timeout=SLOW)
            expect(page.get_by_test_id("stException")).to_have_count(0)


@pytest.mark.kafka
@pytest.mark.browser
@pytest.mark.parametrize(("size", "theme"), [("desktop", "light"), ("phone", "dark")])
def test_every_page_shows_its_numbers_legibly_and_asks_nobody_else(
    fresh_topics, chromium, tmp_path, size, theme
):
    send(fresh_topics, *day_of_counts(this_hour(), factor=100))
    settings = small_run().write(fresh_topics, tmp_path)
    tell(fresh_topics, progress("stats", 0), progress("archive", 0))
    send_messages(fresh_topics, 3, 2)
    tell(fresh_topics, progress("stats", 2, state_rows=55), progress("archive", 1))
    now = (datetime.now(UTC) - datetime(2026, 11, 20, 12, tzinfo=UTC)) / timedelta(minutes=1)
    archive(tmp_path / "lake", camera("x1", now, online=False, last_event=event(now - 5)))
    quarantine(tmp_path / "lake", bad("malformed", now, raw="<b>not bold</b>"))
    expected = {
        "": ("Reported, above 1,000", "39"),
        "live": ("State rows", "55"),
        "cameras?camera=x1": ("Offline", "1"),
        "lake": ("Files", "4"),
        "lake?tab=Quarantine": ("malformed", "4"),
    }
    with served(fresh_topics, tmp_path, device_locations=settings.device_locations) as port:
        page = open_page(chromium, size, theme)
        asked: set[str | None] = set()
        page.on("request", lambda request: asked.add(urlsplit(request.url).hostname))
        for path, (label, value) in expected.items():
            page.goto(f"http://localhost:{port}/{path}")
            expect(figure(page, label).first).to_have_text(value, timeout=SLOW)
            page.screenshot(path=tmp_path / f"{path.split('?')[0] or 'report'}.png", full_page=True)
            assert faint_texts(page) == [], path
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, path
            expect(page.get_by_test_id("stException")).to_have_count(0)
        page.goto(f"http://localhost:{port}/proof")
        # By keyboard alone: the button can be reached and pressed.
        page.get_by_role("button", name="Run the check").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_text("The check")).not_to_have_count(0)
        expect(page.get_by_text("comparisons differ")).to_be_visible(timeout=SLOW)
        assert faint_texts(page) == []
        assert asked == {"localhost"}


@pytest.mark.kafka
@pytest.mark.browser
def test_an_open_page_says_that_kafka_is_away_and_goes_on_when_it_is_back(chromium, tmp_path):
    settings, port = load_settings(), free_port()

    def broker() -> Broker:
        return Broker(settings, tmp_path / "data", tmp_path / "broker.log", port=port)

    with served(f"127.0.0.1:{port}", tmp_path) as served_at:
        page = open_page(chromium)
        with broker() as first:
            admin = KafkaAdminClient(bootstrap_servers=first.bootstrap_servers)
            create_topics(admin)
            admin.close()
            send(first.bootstrap_servers, *day_of_counts(this_hour(), factor=100))
            page.goto(f"http://localhost:{served_at}/?threshold=900")
            expect(figure(page, "Reported, above 900")).to_have_text("42", timeout=SLOW)
        expect(page.get_by_text("Kafka is away.")).to_be_visible(timeout=SLOW)
        expect(figure(page, "Reported, above 900")).to_have_text("42")
        assert faint_texts(page) == []
        with broker() as second:
            send(second.bootstrap_servers, *day_of_counts(this_hour(), factor=200))
            expect(figure(page, "Reported, above 900")).to_have_text("57", timeout=SLOW)
            expect(page.get_by_text("Kafka is away.")).to_have_count(0)


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
