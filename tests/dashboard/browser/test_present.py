"""The presenter's mode and the pages' guides in a real Chromium."""

import pytest
from playwright.sync_api import expect

from tests.dashboard.contrast import low_contrast_texts
from tests.dashboard.count_records import send_counts
from tests.dashboard.served_dashboard import (
    TIMEOUT_MS,
    counts_of_a_day,
    cut_off_texts,
    new_page,
    overflow,
    served_dashboard,
    this_hour,
)

_SLIDES = ("sightings", "Report", "Messages in", "Alerts", "Nothing is proved yet")
"""What is on each slide."""


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
            expect(slide.get_by_text(text).first).to_be_visible(timeout=TIMEOUT_MS)
            expect(page.locator("[class*=st-key-slide-]")).to_have_count(1, timeout=TIMEOUT_MS)
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
        page.get_by_text("What am I looking at?").click(timeout=TIMEOUT_MS)
        expect(page.get_by_text("How the stream runs:")).to_be_visible(timeout=TIMEOUT_MS)
        expect(page.get_by_text("lag: Messages in Kafka that a query has not")).to_be_visible()
        assert page.evaluate(font_size) == 16
        assert low_contrast_texts(page) == []

        phone = new_page(chromium, "phone")
        phone.goto(f"http://localhost:{port}/present")
        # The presenter's style, which hides the links elsewhere, comes with the slide.
        expect(phone.locator("[class*=st-key-slide-]")).to_be_visible(timeout=TIMEOUT_MS)
        assert phone.locator(".st-key-pages").evaluate("links => links.getAnimations().length") == 0
        expect(phone.locator(".st-key-pages")).to_have_css("opacity", "1")
        phone.screenshot(path=tmp_path / "phone.png")
        phone.get_by_role("link", name="Report").click()
        expect(phone).to_have_url(f"http://localhost:{port}/")
