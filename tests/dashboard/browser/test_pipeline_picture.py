"""The living picture of the pipeline in a real Chromium."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from contract.progress import QueryProgress
from dashboard.data.picture.station import Flow
from dashboard.widgets import pipeline_picture
from tests.dashboard.page_quality import violations
from tests.dashboard.served_dashboard import (
    cut_off_texts,
    new_page,
    overflow,
    record_traffic,
    served_dashboard,
    wait_until_drawn,
)
from tests.sample.lake import append_quarantine, rejected
from tests.sample.progress import progress, send_messages, send_progress

pytestmark = [pytest.mark.kafka, pytest.mark.browser]

PICTURE = Path(pipeline_picture.__file__).parent
_PULSES_SEEN = """
() => {
  window.pulsesSeen = 0;
  new MutationObserver(changes => changes.forEach(change => change.addedNodes.forEach(node => {
    if (node.classList?.contains('nest-pulse')) window.pulsesSeen += 1;
  }))).observe(document.querySelector('.nest-pipeline'), {childList: true});
}
"""
_ARROW = ("kafka", "counts", "3.0/s", 1, "well")
_SHOW_OVERTAKEN = """
async ({script, numbers}) => {
  const blob = new Blob([script], {type: 'text/javascript'});
  const module = await import(URL.createObjectURL(blob));
  for (const data of numbers) module.default({parentElement: document.body, data})?.();
}
"""
"""As Streamlit does on a busy page: what a call returns is called when newer numbers are there."""


def batch(query: str, number: int, committed: int, **fields: object) -> QueryProgress:
    return progress(query, committed, batch_id=number, **fields)


def station(page: Page, name: str) -> Locator:
    return page.locator(f'[data-station="{name}"]')


def pulses(page: Page, number: int) -> Locator:
    """The arrow of this number, if a batch has passed it while the page was open."""
    return page.locator(".nest-flows g").nth(number).and_(page.locator("[data-pulses]"))


def test_numbers_that_were_overtaken_leave_the_picture_as_it_is(chromium):
    page = new_page(chromium)
    page.set_content((PICTURE / "picture.html").read_text())
    script = (PICTURE / "picture.js").read_text()
    batches = (1, 2, 4)
    numbers = [
        {
            "description": "",
            "stations": [],
            "flows": [Flow(*_ARROW, batch, 0)._asdict()],
            "refreshMs": 2000,
        }
        for batch in batches
    ]
    page.evaluate(_SHOW_OVERTAKEN, {"script": script, "numbers": numbers})
    expect(page.locator(".nest-flows g")).to_have_count(1)
    expect(pulses(page, 0)).to_have_attribute("data-pulses", "3")


def test_the_picture_lives_without_flicker_and_turns_red_and_well_again(
    fresh_topics, chromium, tmp_path
):
    append_quarantine(tmp_path / "lake", rejected("malformed", 1), rejected("field", 2))
    send_messages(fresh_topics, 2, 2, 2)
    send_progress(fresh_topics, batch("stats", 1, 3), batch("archive", 1, 3))
    with served_dashboard(fresh_topics, tmp_path) as port:
        address = f"http://localhost:{port}"
        page, still = new_page(chromium), new_page(chromium, "phone", "dark", is_still=True)
        traffic = record_traffic(page)
        page.goto(f"{address}/live")
        still.goto(f"{address}/live")
        expect(station(page, "counts")).to_contain_text("all counted")
        expect(station(page, "quarantine")).to_contain_text("2")
        expect(station(page, "kafka")).to_have_attribute("data-condition", "well")
        picture = page.locator(".nest-pipeline")
        expect(page.get_by_role("img", name="The pipeline now.")).to_be_visible()
        elements = [picture, *picture.locator("*").all()]
        for element in elements:
            element.evaluate("element => element.dataset.mark = 'same'")
        for each in (page, still):
            expect(station(each, "counts")).to_contain_text("all counted")
            each.evaluate(_PULSES_SEEN)

        # A batch is a pulse on the arrow to the counts, and on the one to the report.
        send_messages(fresh_topics, 1)
        send_progress(fresh_topics, batch("stats", 2, 4))
        for each in (page, still):
            expect(station(each, "counts").locator(".nest-value")).to_have_text("4")
            expect(pulses(each, 1)).to_have_attribute("data-pulses", "1")
            expect(pulses(each, 3)).to_have_attribute("data-pulses", "1")
        assert page.evaluate("pulsesSeen") == 2
        assert still.evaluate("pulsesSeen") == 0
        motion = "getComputedStyle(document.querySelector('.nest-stream')).animationName"
        assert (page.evaluate(motion), still.evaluate(motion)) == ("nest-stream", "none")

        # What does not work is red, and well again when it works.
        send_progress(fresh_topics, batch("stats", 2, 4, state="restarting"))
        expect(station(page, "counts")).to_have_attribute("data-condition", "down")
        expect(picture).to_have_attribute(
            "aria-label", re.compile(r"Counts: 4 \(restarting\), down")
        )
        send_progress(fresh_topics, batch("stats", 3, 4))
        expect(station(page, "counts")).to_have_attribute("data-condition", "well")
        for element in elements:
            expect(element).to_have_attribute("data-mark", "same")

        for each in (page, still):
            assert cut_off_texts(each.locator(".nest-station span")) == []
            assert overflow(each) <= 0
            assert violations(each) == []
        page.get_by_role("link", name="Report").click()
        title = page.get_by_role("heading", name="People seen by zip code and hour")
        expect(title).to_be_visible()
        wait_until_drawn(page)
        expect(station(page, "counts")).to_contain_text("all counted")
        expect(page.locator(".nest-pipeline")).to_have_count(1)
        assert traffic.hosts == {"localhost"}
        # On a direct link Streamlit also asks below it for two files that are at the top.
        assert [each for each in traffic.errors if "404" not in each] == []
