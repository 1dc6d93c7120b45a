"""What a page is like for people with a screen reader, a keyboard or an unsteady hand."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

LAYOUT_SHIFT_LIMIT = 0.1
"""What web.dev calls good."""
_RECORD_SHIFTS = """
window.layoutShifts = [];
new PerformanceObserver(list => {
  for (const entry of list.getEntries())
    if (!entry.hadRecentInput) window.layoutShifts.push([entry.startTime, entry.value]);
}).observe({type: 'layout-shift', buffered: true});
"""


def violations(page: Page) -> list[str]:
    """Return what axe finds on a page: the rule, how bad it is, and the elements."""
    found = Axe().run(page).response["violations"]
    return [
        f"{each['id']} ({each['impact']}): " + "; ".join(n["html"][:150] for n in each["nodes"])
        for each in found
    ]


def record_layout_shifts(page: Page) -> None:
    """Record from now on by how much what a page shows moves while nobody touches it."""
    page.add_init_script(_RECORD_SHIFTS)


def layout_shift(page: Page) -> float:
    """Return the largest layout shift of a page, as web vitals define it.

    It is the sum over a window of at most five seconds with less than a second between two shifts.
    """
    shifts: list[tuple[float, float]] = page.evaluate("window.layoutShifts")
    largest = total = 0.0
    began = last = float("-inf")
    for moment, value in shifts:
        if moment - last >= 1_000 or moment - began >= 5_000:
            began, total = moment, 0.0
        last, total = moment, total + value
        largest = max(largest, total)
    return largest


def chart_names(page: Page) -> list[str]:
    """Return what a screen reader calls the charts of a page."""
    charts = page.locator(".vega-embed[role='graphics-document']")
    return [str(each.get_attribute("aria-label")) for each in charts.all()]
