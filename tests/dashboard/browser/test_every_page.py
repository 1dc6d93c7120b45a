"""All pages in a real Chromium: their numbers, contrast and requests."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from tests.dashboard.contrast import low_contrast_texts
from tests.dashboard.served_dashboard import (
    counts_of_a_day,
    metric,
    new_page,
    overflow,
    record_traffic,
    served_dashboard,
    this_hour,
    wait_until_drawn,
)
from tests.sample.alerts import alert, send_alerts
from tests.sample.counts import send_counts
from tests.sample.lake import (
    NOON,
    append_cameras,
    append_quarantine,
    append_status,
    camera,
    event,
    rejected,
)
from tests.sample.progress import progress, send_messages, send_progress
from tests.sample.small_run import small_run


@pytest.mark.kafka
@pytest.mark.browser
@pytest.mark.parametrize(("size", "theme"), [("desktop", "light"), ("phone", "dark")])
def test_every_page_shows_its_numbers_legibly_and_sends_requests_only_to_this_machine(
    fresh_topics, chromium, tmp_path, size, theme
):
    send_counts(fresh_topics, *counts_of_a_day(this_hour(), factor=100))
    settings = small_run().write(fresh_topics, tmp_path)
    send_progress(fresh_topics, progress("stats", 0), progress("archive", 0))
    send_messages(fresh_topics, 3, 2)
    send_progress(fresh_topics, progress("stats", 2, state_rows=55), progress("archive", 1))
    now = (datetime.now(UTC) - NOON) / timedelta(minutes=1)
    offline = camera("x1", now, online=False, last_event=event(now - 5))
    append_cameras(tmp_path / "lake", offline)
    append_status(tmp_path / "lake", offline)
    send_alerts(fresh_topics, alert("offline", now))
    append_quarantine(tmp_path / "lake", rejected("malformed", now, raw="<b>not bold</b>"))
    expected = {
        "": ("Report rows, above 1,000", "39"),
        "live": ("State rows", "55"),
        "cameras?camera=x1": ("Offline", "1"),
        "lake": ("Files", "4"),
        "lake?tab=Quarantine": ("malformed", "4"),
    }
    with served_dashboard(
        fresh_topics, tmp_path, device_locations=settings.device_locations
    ) as port:
        page = new_page(chromium, size, theme)
        traffic = record_traffic(page)
        for path, (label, value) in expected.items():
            page.goto(f"http://localhost:{port}/{path}")
            expect(metric(page, label).first).to_have_text(value)
            wait_until_drawn(page)
            page.screenshot(path=tmp_path / f"{path.split('?')[0] or 'report'}.png", full_page=True)
            assert low_contrast_texts(page) == [], path
            assert overflow(page) <= 0, path
            expect(page.get_by_test_id("stException")).to_have_count(0)
        page.goto(f"http://localhost:{port}/proof")
        # By keyboard alone: the button can be reached and pressed.
        page.get_by_role("button", name="Run the check").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_text("comparisons differ")).to_be_visible(timeout=120_000)
        assert low_contrast_texts(page) == []
        assert traffic.hosts == {"localhost"}
