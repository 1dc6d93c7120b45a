"""A tour of all pages in a real Chromium: for everybody, on every screen, there and back."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.dashboard.page_quality import (
    LAYOUT_SHIFT_LIMIT,
    chart_names,
    layout_shift,
    record_layout_shifts,
    violations,
)
from tests.dashboard.served_dashboard import (
    PLACES,
    counts_of_a_day,
    metric,
    new_page,
    overflow,
    record_traffic,
    served_dashboard,
    this_hour,
    wait_until_drawn,
    zone_where_it_is,
)
from tests.fixtures.kafka import renew_topics
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

pytestmark = [pytest.mark.kafka, pytest.mark.browser]


class Stop(NamedTuple):
    """A page of the tour: its title, and a metric that it has with its value."""

    title: str
    metric: tuple[str, str | re.Pattern[str]] | None = None
    charts: int = 0


TOUR = {
    "": Stop("Report", ("Report rows, above 1,000", "39"), 3),
    "live": Stop("Live", ("State rows", "55"), 4),
    "cameras?camera=a": Stop("Cameras", ("Offline", "1"), 1),
    "cameras?zip=94304": Stop("Cameras", ("Offline", "1")),
    "message": Stop("Message"),
    "message?partition=0&offset=0": Stop("Message", ("Sent", re.compile(r"\d"))),
    "lake": Stop("Lake", ("Files", "1")),
    "lake?tab=Time+travel": Stop("Lake"),
    "lake?tab=Quarantine": Stop("Lake", ("malformed", "1")),
    "proof": Stop("Proof"),
}


@pytest.fixture(scope="module")
def address(bootstrap_servers: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of one dashboard for all tests, on a Kafka and a lake with a little of everything."""
    folder: Path = tmp_path_factory.mktemp("tour")
    places = folder / "places.csv"
    places.write_text(PLACES)
    renew_topics(bootstrap_servers)
    send_counts(bootstrap_servers, *counts_of_a_day(this_hour(), factor=100))
    send_progress(bootstrap_servers, progress("stats", 0), progress("archive", 0))
    send_messages(bootstrap_servers, 3, 2)
    send_progress(bootstrap_servers, progress("stats", 2, state_rows=55), progress("archive", 1))
    now = (datetime.now(UTC) - NOON) / timedelta(minutes=1)
    rows = (
        camera("a", now, online=False, last_event=event(now - 300)),
        camera("b", now, last_event=event(now - 5)),
    )
    append_cameras(folder / "lake", *rows)
    append_status(folder / "lake", *rows)
    send_alerts(bootstrap_servers, alert("offline", now, zip_code="94304"))
    append_quarantine(folder / "lake", rejected("malformed", now, raw="<b>not bold</b>"))
    with served_dashboard(
        bootstrap_servers, folder, device_locations=str(places), state=str(folder)
    ) as port:
        yield f"http://localhost:{port}/"


def open_stop(page: Page, address: str, path: str) -> None:
    """Open a page of the tour and wait for its numbers."""
    page.goto(f"{address}{path}")
    stop = TOUR[path]
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    if stop.metric:
        label, value = stop.metric
        expect(metric(page, label).first).to_have_text(value)
    expect(page.locator(".vega-embed canvas, .vega-embed svg")).to_have_count(stop.charts)
    wait_until_drawn(page)


@pytest.mark.parametrize(("size", "theme"), [("projector", "light"), ("phone", "dark")])
def test_every_page_has_its_numbers_suits_a_screen_reader_and_asks_only_this_machine(
    address: str, chromium: Browser, tmp_path: Path, size: str, theme: str
):
    page = new_page(chromium, size, theme)
    record_layout_shifts(page)
    traffic = record_traffic(page)
    problems = []
    for path, stop in TOUR.items():
        open_stop(page, address, path)
        page.screenshot(path=tmp_path / f"{len(problems)}.png", full_page=True)
        problems += [f"{path}: {each}" for each in violations(page)]
        shift = layout_shift(page)
        if shift >= LAYOUT_SHIFT_LIMIT:
            problems.append(f"{path}: layout shift {shift:.2f}")
        if page.title() != f"{stop.title} · Nest cameras":
            problems.append(f"{path}: title {page.title()}")
        names = chart_names(page)
        if len(names) < stop.charts or any("Vega" in each for each in names):
            problems.append(f"{path}: charts are called {names}")
        if overflow(page) > 0:
            problems.append(f"{path}: wider than the window")
        expect(page.get_by_test_id("stException")).to_have_count(0)
    page.close()
    assert problems == []
    assert traffic.hosts == {"localhost"}


def test_the_first_tables_take_the_place_of_the_notice_that_there_are_none(
    bootstrap_servers: str, chromium: Browser, tmp_path: Path
):
    """A notice that went after they were drawn would move all of them up."""
    with served_dashboard(bootstrap_servers, tmp_path) as port:
        page = new_page(chromium, "projector")
        record_layout_shifts(page)
        page.goto(f"http://localhost:{port}/lake")
        expect(page.get_by_text("There is no table yet").first).to_be_visible()
        wait_until_drawn(page)
        before = layout_shift(page)
        append_cameras(tmp_path / "lake", camera("a", 1), camera("b", 1))
        append_quarantine(tmp_path / "lake", rejected("malformed", 1))
        expect(page.get_by_role("heading", name="quarantine")).to_be_visible()
        expect(page.get_by_test_id("stAlert")).to_have_count(0)
        wait_until_drawn(page)
        assert layout_shift(page) - before < LAYOUT_SHIFT_LIMIT / 10
        page.close()


@pytest.mark.parametrize("hour", [0, 12])
def test_on_a_projector_the_figures_stand_in_one_row(address: str, chromium: Browser, hour: int):
    """At midnight, too, when the last full hour is of another day and has a longer name."""
    page = new_page(chromium, "projector", time_zone=zone_where_it_is(hour))
    for path in ("", "live", "cameras?camera=a"):
        open_stop(page, address, path)
        figures = page.get_by_test_id("stMetric").all()[:5]
        assert len({round(each.bounding_box()["y"]) for each in figures}) == 1, path
    page.close()


def test_on_a_phone_a_tap_chooses_a_page_or_gives_the_download(address: str, chromium: Browser):
    page = new_page(chromium, "phone")
    open_stop(page, address, "")
    for name in ("Live", "Cameras", "Lake", "Proof", "Report"):
        page.get_by_role("link", name=name, exact=True).tap()
        expect(page).to_have_title(f"{name} · Nest cameras")
        expect(page.get_by_test_id("stSidebar")).to_have_count(0)
    for path in ("", "cameras?camera=a"):
        open_stop(page, address, path)
        page.get_by_test_id("stDataFrame").first.tap()  # the table shows its bar of tools
        button = page.get_by_role("link", name="Download (CSV, UTC)")
        with page.expect_download():
            button.tap()
    page.close()


def test_back_undoes_one_choice_at_a_time_and_then_leaves(address: str, chromium: Browser):
    page = new_page(chromium)
    open_stop(page, address, "")
    page.get_by_role("link", name="Lake", exact=True).click()
    expect(page).to_have_title("Lake · Nest cameras")
    page.get_by_role("link", name="Report", exact=True).click()
    threshold = page.get_by_role("spinbutton")
    expect(threshold).to_have_value("1000")
    for value in ("2000", "500"):
        threshold.fill(value)
        threshold.press("Enter")
        expect(page).to_have_url(f"{address}?threshold={value}")
    expect(metric(page, "Report rows, above 500")).to_be_visible()
    page.go_back()
    expect(threshold).to_have_value("2000")
    expect(metric(page, "Report rows, above 2,000")).to_be_visible()
    page.go_back()
    expect(threshold).to_have_value("1000")
    page.go_back()
    expect(page).to_have_title("Lake · Nest cameras")
    page.close()


def test_a_camera_is_found_by_its_name_and_place_with_enter(address: str, chromium: Browser):
    page = new_page(chromium)
    open_stop(page, address, "cameras?camera=a")
    choice = page.get_by_role("combobox", name="Camera")
    choice.fill("mountain")
    expect(page.get_by_role("option")).to_have_count(1)
    choice.press("Enter")
    expect(page).to_have_url(f"{address}cameras?camera=b")
    title = "b Camera, Mountain View 94043 (b)"
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    page.close()


def test_a_zip_code_is_found_by_its_city(address: str, chromium: Browser):
    page = new_page(chromium)
    open_stop(page, address, "")
    choice = page.get_by_role("combobox")
    choice.fill("palo")
    expect(page.get_by_role("option", name="Palo Alto 94304")).to_be_visible()
    choice.press("Enter")
    expect(page).to_have_url(f"{address}?zip=94304")
    expect(metric(page, "Sightings")).to_have_text("27,600")
    page.close()


def test_what_has_the_focus_is_marked(address: str, chromium: Browser):
    page = new_page(chromium)
    open_stop(page, address, "")
    page.keyboard.press("Tab")
    link = page.locator("a:focus")
    expect(link).to_have_count(1)
    assert link.evaluate("element => getComputedStyle(element).outlineWidth") == "3px"
    page.close()
