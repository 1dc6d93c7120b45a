"""The sentence before the figures: how much, where and when the most, and whether it is right."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from contract.counts import Counts
from contract.stats import StatsKey
from dashboard.data.check_run import CheckRun
from dashboard.data.completeness import CatchingUp
from dashboard.data.counts import counts_view
from dashboard.data.report_sentence import as_text, report_sentence
from tests.sample.counts import key
from tests.sample.lake import NOON
from tests.sample.verdicts import DIFFERS, HOLDS

# NOON is that of Friday, 20 November 2026.
NOW = NOON + timedelta(hours=9)
NEW_YORK = ZoneInfo("America/New_York")
NOT_PROVED = CheckRun()
PROVED = CheckRun(NOW, NOW - timedelta(minutes=4), verdict=HOLDS)
CITIES = {"94304": "Palo Alto"}


def sentence(
    by_key: dict,
    *,
    has_others: bool = False,
    complete: datetime | CatchingUp | None = NOW - timedelta(seconds=1.2),
    check: CheckRun = PROVED,
    now: datetime = NOW,
    zone: ZoneInfo = NEW_YORK,
) -> str:
    rows = counts_view(Counts(by_key=by_key)).rows
    return as_text(
        report_sentence(
            rows,
            CITIES,
            has_others=has_others,
            complete=complete,
            check=check,
            now=now,
            zone=zone,
        )
    )


def test_the_sentence_says_how_much_where_and_when_the_most_and_whether_it_is_right():
    by_key = {key("94304", 4): 11_659, key("94304", 9): 40, key("10001", 5): 11_600}
    assert sentence(by_key) == (
        "23,299 sightings since Fri 11:00. Busiest: Palo Alto 94304, Fri 11 to 12 h, 11,659. "
        "Complete up to 1.2 s ago; proved 4 min ago."
    )


def test_before_the_first_count_it_says_so():
    expected = "No sighting is counted yet. Completeness is not known yet; not proved yet."
    assert sentence({}, complete=None, check=NOT_PROVED) == expected
    assert sentence({key("94304", 4): 0}, complete=None, check=NOT_PROVED) == expected


def test_where_only_the_selection_has_no_sighting_it_says_so():
    assert sentence({}, has_others=True) == (
        "No sighting in the selected hours and zip codes. Complete up to 1.2 s ago; "
        "proved 4 min ago."
    )


def test_while_the_history_is_read_it_says_how_far_the_counts_are():
    begun = CatchingUp(0, 7)
    assert sentence({key("94304", 4): 3}, complete=begun).endswith(
        "Counting the first 7 messages; proved 4 min ago."
    )
    progress = CatchingUp(200_000, 1_000_000)
    assert sentence({}, complete=progress, check=NOT_PROVED) == (
        "No sighting is counted yet. Catching up: 200,000 of 1,000,000 messages counted; "
        "not proved yet."
    )


def test_one_count_of_one_sighting_is_a_whole_sentence():
    assert sentence({key("10001", 11): 1}, check=NOT_PROVED, zone=ZoneInfo("UTC")) == (
        "1 sighting since Fri 23:00. Busiest: 10001, Fri 23 to 24 h, 1. "
        "Complete up to 1.2 s ago; not proved yet."
    )


def test_an_unknown_zip_code_is_never_the_busiest_and_its_sightings_are_named():
    by_key = {key("unknown", 4): 5_000, key("94304", 4): 12}
    assert sentence(by_key).startswith(
        "5,012 sightings since Fri 11:00, 5,000 of them without a known zip code. "
        "Busiest: Palo Alto 94304, Fri 11 to 12 h, 12. "
    )
    assert sentence({key("unknown", 4): 7}) == (
        "7 sightings since Fri 11:00, 7 of them without a known zip code. "
        "Complete up to 1.2 s ago; proved 4 min ago."
    )


def test_an_older_day_is_named_by_its_date():
    by_key = {key("94304", 0): 9, key("94304", 24 * 7): 12}
    now = NOW + timedelta(days=7)
    assert sentence(by_key, now=now).startswith(
        "21 sightings since 20 Nov 07:00. Busiest: Palo Alto 94304, Fri 07 to 08 h, 12. "
    )


def test_an_hour_that_does_not_begin_with_a_full_one_has_its_minutes():
    text = sentence({key("94304", 6): 9}, zone=ZoneInfo("Asia/Kolkata"))
    assert "Busiest: Palo Alto 94304, Fri 23:30 to 00:30, 9." in text


@pytest.mark.parametrize(
    ("holds", "end"),
    [(True, "proved 4 min ago."), (False, "the check found differences 4 min ago.")],
)
def test_it_ends_with_what_the_last_check_found(holds: bool, end: str):
    check = CheckRun(NOW, NOW - timedelta(minutes=4), verdict=HOLDS if holds else DIFFERS)
    assert sentence({key("94304", 4): 9}, check=check).endswith(f"; {end}")


def test_times_at_the_ends_of_the_calendar_are_a_sentence_too():
    last = datetime(9999, 12, 31, 23, tzinfo=UTC)
    first = datetime(1, 1, 1, tzinfo=UTC)
    by_key = {StatsKey("94304", each, each): 9 for each in (first, last)}
    zone = ZoneInfo("UTC")
    assert sentence(by_key, zone=zone).startswith("18 sightings since 1 Jan 1 00:00. Busiest")
