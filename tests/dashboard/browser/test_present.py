"""The presenter's mode and the pages' guides in a real Chromium."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from tests.dashboard.page_quality import violations
from tests.dashboard.served_dashboard import (
    PLACES,
    counts_of_a_day,
    cut_off_texts,
    new_page,
    overflow,
    served_dashboard,
    this_hour,
    wait_until_drawn,
)
from tests.sample.alerts import alert, send_alerts
from tests.sample.counts import send_counts
from tests.sample.lake import NOON, append_status, camera
from tests.sample.progress import progress, send_messages, send_progress

_SLIDES = ("sightings", "Report", "Messages in", "Alerts", "Nothing is proved yet")
"""What is on each slide."""
_CONTENTS = (
    ("stMetric", 5),
    ("stDataFrame", 1),
    ("stVegaLiteChart", 4),
    ("stDataFrame", 1),
    ("stHeading", 1),
)
"""What is on each slide, and how many of it."""
_HIDDEN_BELOW = """() => {
  const main = document.querySelector(".stMain");
  return main.scrollHeight - main.clientHeight;
}"""
"""How many pixels of the page are below the screen."""


@pytest.mark.kafka
@pytest.mark.browser
def test_the_pages_come_in_turn_without_controls_and_each_says_what_it_is(
    fresh_topics, chromium, tmp_path
):
    send_counts(fresh_topics, *counts_of_a_day(this_hour(), factor=100))
    with served_dashboard(fresh_topics, tmp_path) as port:
        page = new_page(chromium)
        page.goto(f"http://localhost:{port}/present?every=4")
        for number, text in enumerate(_SLIDES):
            slide = page.locator(f".st-key-slide-{number}")
            expect(slide.get_by_text(text).first).to_be_visible()
            expect(page.locator("[class*=st-key-slide-]")).to_have_count(1)
            controls = "button:visible, input:visible, [role=combobox]:visible"
            assert page.locator(".stMain").locator(controls).count() == 0
            assert overflow(page) <= 0
            assert cut_off_texts(page.get_by_test_id("stMetric").locator("div, p")) == []
            expect(page.get_by_test_id("stException")).to_have_count(0)
        header = page.locator("header").first
        assert header.evaluate("header => getComputedStyle(header).opacity") == "0"
        font_size = "parseFloat(getComputedStyle(document.documentElement).fontSize)"
        assert page.evaluate(font_size) > 20

        links = page.locator(".st-key-pages")
        expect(links).to_have_css("opacity", "0")
        strip = links.bounding_box()
        page.mouse.move(strip["x"] + strip["width"] - 5, strip["y"] + strip["height"] / 2)
        expect(links).to_have_css("opacity", "1")
        page.screenshot(path=tmp_path / "menu.png")
        page.mouse.move(strip["x"] + 5, strip["y"] + 400)
        expect(links).to_have_css("opacity", "0")
        links.get_by_role("link").first.focus()
        expect(links).to_have_css("opacity", "1")

        page.goto(f"http://localhost:{port}/live")
        page.get_by_text("What am I looking at?").click()
        expect(page.get_by_text("How the stream runs:")).to_be_visible()
        expect(page.get_by_text("lag: Messages in Kafka that a query has not")).to_be_visible()
        assert page.evaluate(font_size) == 16
        assert violations(page) == []

        phone = new_page(chromium, "phone")
        phone.goto(f"http://localhost:{port}/present")
        # The presenter's style hides the header there, too, at the same moment and pace.
        expect(phone.locator("header").first).to_have_css("opacity", "0")
        assert phone.locator(".st-key-pages").evaluate("links => links.getAnimations().length") == 0
        expect(phone.locator(".st-key-pages")).to_have_css("opacity", "1")
        phone.screenshot(path=tmp_path / "phone.png")
        phone.get_by_role("link", name="Report").click()
        expect(phone).to_have_url(f"http://localhost:{port}/")


@pytest.mark.kafka
@pytest.mark.browser
def test_every_slide_is_on_one_screen(fresh_topics, chromium, tmp_path):
    send_counts(fresh_topics, *counts_of_a_day(this_hour(), factor=100))
    send_progress(fresh_topics, progress("stats", 0), progress("archive", 0))
    send_messages(fresh_topics, 3, 2)
    send_progress(fresh_topics, progress("stats", 2), progress("archive", 1))
    now = (datetime.now(UTC) - NOON) / timedelta(minutes=1)
    devices = [f"x{number}" for number in range(12)]
    append_status(tmp_path / "lake", *(camera(each, now, online=False) for each in devices))
    alerts = [alert("offline", now, id=each, device_id=each) for each in devices]
    send_alerts(fresh_topics, *alerts)
    locations = tmp_path / "locations.csv"
    locations.write_text(PLACES)
    screens = ((1024, 768), (1280, 720), (1400, 900), (1920, 1080))
    with served_dashboard(fresh_topics, tmp_path, device_locations=str(locations)) as port:
        page = new_page(chromium)
        for width, height in screens:
            page.set_viewport_size({"width": width, "height": height})
            for number, (kind, count) in enumerate(_CONTENTS):
                page.goto(f"http://localhost:{port}/present?slide={number + 1}")
                slide = page.locator(f".st-key-slide-{number}")
                expect(slide.get_by_test_id(kind)).to_have_count(count)
                wait_until_drawn(page)
                page.screenshot(path=tmp_path / f"slide {number} {width}.png")
                assert overflow(page) <= 0, (number, width)
                assert page.evaluate(_HIDDEN_BELOW) <= 0, (number, width)
