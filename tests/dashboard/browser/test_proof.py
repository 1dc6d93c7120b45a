"""The page Proof in a real Chromium: its headline, and the check by the keyboard."""

import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Browser, expect

from contract.last_check import LastCheck, keep_last_check
from contract.verdict import Comparison, Verdict
from demo.stack.ports import free_port
from tests.dashboard.page_quality import violations
from tests.dashboard.served_dashboard import new_page, overflow, served_dashboard, wait_until_drawn
from tests.sample.small_run import small_run

_WATCH = """
() => {
  window.figures = [];
  const figure = document.querySelector('.nest-figure');
  new MutationObserver(() => window.figures.push(figure.textContent))
    .observe(figure, {childList: true});
}
"""


def keep_verdict(folder, values: int) -> None:
    now = datetime.now(UTC)
    verdict = Verdict([Comparison("x", "0", "0", True)], values=values)
    keep_last_check(folder, LastCheck(now, now, verdict))


@pytest.mark.browser
def test_the_headline_is_the_kept_verdict_and_counts_up_to_the_next(chromium, tmp_path):
    keep_verdict(tmp_path, 1_000)
    with served_dashboard(f"127.0.0.1:{free_port()}", tmp_path) as port:
        page, still = new_page(chromium), new_page(chromium, "phone", "dark", is_still=True)
        for each in (page, still):
            each.goto(f"http://localhost:{port}/proof")
            headline = each.locator(".nest-headline")
            expect(headline).to_have_text("1,000 values compared, 0 differ", use_inner_text=True)
            each.evaluate(_WATCH)
        keep_verdict(tmp_path, 7_912_345)
        for each in (page, still):
            expect(each.locator(".nest-headline")).to_have_text(
                "7.9 million values compared, 0 differ", use_inner_text=True
            )
            assert violations(each) == []
            assert overflow(each) <= 0
        counted = [int(text.replace(",", "")) for text in page.evaluate("figures")[:-1]]
        assert counted == sorted(counted)
        assert any(1_000 < figure < 7_900_000 for figure in counted)
        assert still.evaluate("figures") == ["7.9 million"]


@pytest.mark.kafka
@pytest.mark.browser
def test_the_check_is_run_by_the_keyboard_alone(fresh_topics, chromium: Browser, tmp_path):
    settings = small_run().write(fresh_topics, tmp_path)
    with served_dashboard(
        fresh_topics, tmp_path, device_locations=settings.device_locations
    ) as port:
        page = new_page(chromium)
        page.goto(f"http://localhost:{port}/proof")
        page.get_by_role("button", name="Run the check").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_text(re.compile("The check (holds|does not hold)"))).to_be_visible(
            timeout=120_000
        )
        wait_until_drawn(page)
        assert violations(page) == []
        page.close()
