"""From a number to the message behind it, click by click, and back; and by an address."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.dashboard.served_dashboard import (
    PLACES,
    choose_row,
    counts_of_a_day,
    metric,
    new_page,
    served_dashboard,
    this_hour,
    wait_until_drawn,
)
from tests.fixtures.kafka import renew_topics
from tests.sample.counts import send_counts
from tests.sample.lake import NOON, append_cameras, append_status, camera, event

pytestmark = [pytest.mark.kafka, pytest.mark.browser]


@pytest.fixture(scope="module")
def newest_hour() -> datetime:
    """The newest hour of the counts: the clock may go on to the next one meanwhile."""
    return this_hour()


@pytest.fixture(scope="module")
def address(
    bootstrap_servers: str, tmp_path_factory: pytest.TempPathFactory, newest_hour: datetime
) -> Iterator[str]:
    """Address of a dashboard with counts, two cameras and their events."""
    folder: Path = tmp_path_factory.mktemp("clicks")
    places = folder / "places.csv"
    places.write_text(PLACES)
    renew_topics(bootstrap_servers)
    send_counts(bootstrap_servers, *counts_of_a_day(newest_hour, factor=100))
    now = (datetime.now(UTC) - NOON) / timedelta(minutes=1)
    rows = (
        camera("a", now, last_event=event(now - 3)),
        camera("b", now - 1, online=False, last_event=event(now - 5)),
    )
    append_cameras(folder / "lake", *rows)
    append_status(folder / "lake", *rows)
    with served_dashboard(
        bootstrap_servers, folder, device_locations=str(places), state=str(folder)
    ) as port:
        yield f"http://localhost:{port}/"


def table_below(page: Page, heading: str) -> Locator:
    """Return the first table after a heading."""
    title = page.get_by_role("heading", name=heading)
    expect(title).to_be_visible()
    return title.locator("xpath=following::*[@data-testid='stDataFrame'][1]")


def test_a_row_leads_to_its_cameras_one_of_them_and_its_message_and_back(
    address: str, chromium: Browser, tmp_path: Path
):
    page = new_page(chromium)
    page.goto(address)
    choose_row(table_below(page, "Report"), 1)  # of two with 2,300 each, the second
    expect(page).to_have_url(f"{address}cameras?zip=94304")
    page.screenshot(path=tmp_path / "zip code.png", full_page=True)
    choose_row(table_below(page, "Cameras in Palo Alto 94304"), 0)
    expect(page).to_have_url(f"{address}cameras?zip=94304&camera=a")
    page.screenshot(path=tmp_path / "camera.png", full_page=True)
    choose_row(table_below(page, "a Camera, Palo Alto 94304 (a)"), 0)
    expect(page.get_by_role("heading", name="One message on its way")).to_be_visible()
    expect(page.get_by_text("raised the count by 1")).to_be_attached()
    page.screenshot(path=tmp_path / "message.png", full_page=True)
    page.go_back()
    expect(page).to_have_url(f"{address}cameras?zip=94304&camera=a")
    page.go_back()
    expect(page).to_have_url(f"{address}cameras?zip=94304")
    expect(page.get_by_role("heading", name="Cameras in Palo Alto 94304")).to_be_visible()
    page.go_back()
    expect(page).to_have_title("Report · Nest cameras")
    expect(page.get_by_role("heading", name="Report", exact=True)).to_be_visible()
    page.close()


def test_a_circle_and_a_cell_lead_to_the_cameras_there(address: str, chromium: Browser):
    page = new_page(chromium)
    page.goto(address)
    for chart, mark in ((2, "rect mark"), (1, "circle")):
        marks = page.locator(".vega-embed").nth(chart).locator(f"[aria-roledescription='{mark}']")
        expect(marks.last).to_be_visible()
        marks.last.click()
        expect(page).to_have_title("Cameras · Nest cameras")
        expect(page.get_by_role("heading", name="Cameras in ")).to_be_visible()
        page.go_back()
        expect(page).to_have_title("Report · Nest cameras")
    page.close()


def test_a_day_is_played_hour_by_hour_and_ends(address: str, chromium: Browser):
    page = new_page(chromium)
    page.goto(address)
    page.get_by_role("button", name="Play a day").click()
    title = page.get_by_role("heading", name="Sightings by zip code, ")
    expect(title).to_be_visible()
    first = title.inner_text()
    expect(title).not_to_have_text(first)
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    expect(page.get_by_role("button", name="Play a day")).to_be_visible()
    expect(page.get_by_role("heading", name="Sightings by zip code", exact=True)).to_be_visible()
    page.close()


def test_a_view_can_be_shared_and_is_kept_from_page_to_page(
    address: str, chromium: Browser, newest_hour: datetime
):
    page = new_page(chromium)
    page.goto(f"{address}?threshold=500&zip=94304&hours=24+h")
    expect(metric(page, "Sightings")).to_have_text("27,600")
    expect(metric(page, "Report rows, above 500")).to_have_text("18")
    page.get_by_role("link", name="Live").click()
    expect(metric(page, "Messages in")).to_be_visible()
    page.get_by_role("link", name="Report").click()
    expect(metric(page, "Report rows, above 500")).to_have_text("18")
    expect(metric(page, "Sightings")).to_have_text("27,600")

    start = newest_hour - timedelta(hours=2)
    query = f"hours=From%2Fto&from={start:%Y-%m-%dT%H:%MZ}&to={newest_hour:%Y-%m-%dT%H:%MZ}"
    page.goto(f"{address}?{query}")
    expect(metric(page, "Sightings")).to_have_text("900")
    page.close()


def test_a_wrong_address_opens_the_page_with_its_defaults(address: str, chromium: Browser):
    page = new_page(chromium)
    for query in ("hours=never&threshold=1e999&from=x&to=%00", "zip=%3Cscript%3E", "hours="):
        page.goto(f"{address}?{query}")
        expect(page.get_by_role("spinbutton")).to_have_value("1000")
        expect(page.get_by_text("Times are in")).to_be_attached()
        wait_until_drawn(page)
        expect(page.get_by_test_id("stException")).to_have_count(0)
    page.close()
