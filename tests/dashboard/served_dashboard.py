"""The dashboard as `nest dashboard` serves it, and a browser's page on it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Locator, Page, expect

from contract.instants import whole_hour
from contract.stats import encode_key, hour_key
from dashboard.serve import LOOPBACK, dashboard_command
from demo.stack.ports import free_port, is_open
from demo.stack.service import Service
from tests.fixtures.browser import TIMEOUT_MS

SIZES = {"desktop": (1280, 800), "phone": (390, 844)}
ALL_SIZES = {**SIZES, "laptop": (1440, 900), "projector": (1024, 768)}
PLACES = """device_id,zip_code,city,latitude,longitude
a,94304,Palo Alto,37.40,-122.15
b,94043,Mountain View,37.41,-122.08
"""


HEADER, ROW = 35, 35
"""Heights in a table, pixels."""


@contextmanager
def served_dashboard(
    bootstrap_servers: str, folder: Path, address: str = LOOPBACK, **settings: str
) -> Iterator[int]:
    """Serve the dashboard in a process of its own and yield its port."""
    port = free_port()
    hosts = settings.get("dashboard_hosts", "localhost,127.0.0.1")
    values = {
        "bootstrap_servers": bootstrap_servers,
        "lake": str(folder / "lake"),
        "state": str(folder),
        **settings,
    }
    environment = {f"NEST_{name.upper()}": value for name, value in values.items()}
    with Service(
        "Dashboard",
        dashboard_command(port, address, hosts),
        log=folder / "dashboard.log",
        environment={**os.environ, **environment},
        ready=lambda: is_open(port),
    ):
        yield port


def new_page(
    chromium: Browser,
    size: str = "desktop",
    theme: str = "light",
    *,
    is_still: bool = False,
    time_zone: str = "America/New_York",
) -> Page:
    """Return a page of a browser; ``is_still`` if its viewer wants no motion."""
    width, height = ALL_SIZES[size]
    page = chromium.new_page(
        viewport={"width": width, "height": height},
        has_touch=size == "phone",
        timezone_id=time_zone,
        color_scheme=theme,
        reduced_motion="reduce" if is_still else "no-preference",
    )
    page.set_default_timeout(TIMEOUT_MS)
    return page


@dataclass
class Traffic:
    """The hosts that a page asks, and the errors in its console."""

    hosts: set[str | None] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)


def record_traffic(page: Page) -> Traffic:
    """Return the traffic of a page from now on."""
    traffic = Traffic()
    # The script of a component is a blob that the page has made itself.
    page.on(
        "request", lambda it: traffic.hosts.add(urlsplit(it.url.removeprefix("blob:")).hostname)
    )
    page.on(
        "console", lambda line: traffic.errors.append(line.text) if line.type == "error" else None
    )
    return traffic


def wait_until_drawn(page: Page) -> None:
    """Wait until the page's script has ended and each of its elements is drawn."""
    app = page.get_by_test_id("stApp")
    expect(app).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)


def metric(page: Page, label: str) -> Locator:
    """Return the value of the metric with this label."""
    return page.get_by_test_id("stMetric").filter(has_text=label).get_by_test_id("stMetricValue")


def choose_row(table: Locator, number: int) -> None:
    """Click on the box at the left of a row, counted from 0."""
    expect(table.locator("canvas").first).to_be_visible()
    table.click(position={"x": 18, "y": HEADER + number * ROW + ROW / 2})


def overflow(page: Page) -> int:
    """Return by how many pixels the page is wider than the window."""
    width: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return width


def cut_off_texts(elements: Locator) -> list[str]:
    """Return the texts of those elements that are wider than the space they have."""
    texts: list[str] = elements.evaluate_all(
        """elements => elements
          .filter(each => each.scrollWidth > each.clientWidth + 1)
          .map(each => each.textContent)"""
    )
    return texts


def this_hour() -> datetime:
    """Return the start of the current hour, UTC."""
    return whole_hour(datetime.now(UTC))


def zone_where_it_is(hour: int) -> str:
    """Return the name of a time zone in which it is now this hour of the day."""
    ahead = (hour - datetime.now(UTC).hour + 11) % 24 - 11
    return f"Etc/GMT{-ahead:+d}"  # the sign in these names is the other way round


def counts_of_a_day(newest: datetime, factor: int) -> list[tuple[bytes, bytes]]:
    """Return the counts of three zip codes: 0, 1, .. 23 times the factor, back from an hour."""
    records = []
    for hours_ago in range(24):
        start = newest - timedelta(hours=hours_ago)
        for zip_code in ("94304", "94043", "unknown"):
            key = hour_key(zip_code, start)
            records.append((encode_key(key), str(hours_ago * factor).encode()))
    return records
