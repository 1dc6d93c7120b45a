"""The page Report in a real Chromium."""

import csv
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from tests.dashboard.served_dashboard import (
    PLACES,
    SIZES,
    counts_of_a_day,
    metric,
    new_page,
    overflow,
    record_traffic,
    served_dashboard,
    this_hour,
    wait_until_drawn,
)
from tests.sample.counts import send_counts

pytestmark = [pytest.mark.kafka, pytest.mark.browser]


@pytest.mark.parametrize("size", SIZES)
def test_a_viewer_sees_numbers_that_refresh_and_chooses_a_threshold(
    fresh_topics, chromium, tmp_path, size
):
    hour = this_hour()
    send_counts(fresh_topics, *counts_of_a_day(hour, factor=100))
    places = tmp_path / "places.csv"
    places.write_text(PLACES)
    with served_dashboard(fresh_topics, tmp_path, device_locations=str(places)) as port:
        address = f"http://localhost:{port}/"
        page = new_page(chromium, size)
        traffic = record_traffic(page)
        page.goto(address)

        expect(metric(page, "Sightings")).to_have_text("82,800")
        expect(metric(page, "Report rows, above 1,000")).to_have_text("39")
        expect(page.get_by_text("Times are in America/New_York")).to_be_attached()
        expect(page.get_by_test_id("stDataFrame").locator("canvas").first).to_be_visible()
        expect(page.locator(".vega-embed canvas, .vega-embed svg")).to_have_count(3)
        expect(page.get_by_text("Not on the map, because")).to_be_attached()
        page.screenshot(path=tmp_path / f"{size}.png", full_page=True)
        assert overflow(page) <= 0
        table = page.get_by_test_id("stDataFrame").locator(".dvn-scroller")
        assert table.evaluate("table => table.scrollWidth - table.clientWidth") <= 0

        link = page.get_by_role("link", name="Download (CSV, UTC)")
        with page.expect_download() as download:
            link.click()
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
        expect(metric(page, "Report rows, above 2,000")).to_have_text("9")
        expect(page).to_have_url(f"{address}?threshold=2000")

        # A refresh draws new numbers into the same elements: nothing flickers or is lost.
        marked = [page.get_by_test_id("stDataFrame"), link, *page.locator(".vega-embed > *").all()]
        for element in marked:
            element.evaluate("element => element.dataset.mark = 'same'")
        send_counts(fresh_topics, *counts_of_a_day(hour, factor=200))
        expect(metric(page, "Sightings")).to_have_text("165,600")
        expect(metric(page, "Report rows, above 2,000")).to_have_text("39")
        wait_until_drawn(page)
        for element in marked:
            expect(element).to_have_attribute("data-mark", "same")

        page.reload()
        expect(page.get_by_role("spinbutton")).to_have_value("2000")
        expect(metric(page, "Report rows, above 2,000")).to_have_text("39")
        assert traffic.hosts == {"localhost"}
        assert traffic.errors == []
