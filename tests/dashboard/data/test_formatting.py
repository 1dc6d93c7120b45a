"""Numbers, times and durations as text."""

from datetime import UTC, datetime, timedelta

import pytest

from dashboard.data.formatting import (
    escape_markdown,
    find_time_zone,
    format_age,
    format_bytes,
    format_change,
    format_day,
    format_number,
    format_rate,
    format_seconds,
    format_time,
)


def test_a_number_has_a_thousands_separator():
    assert [format_number(n) for n in (0, 999, 1000, 1234567)] == ["0", "999", "1,000", "1,234,567"]


def test_text_from_outside_has_no_meaning_in_markdown():
    assert escape_markdown("a*b*_c_ `d` [e](f) :red[g] $h$ <i>") == (
        r"a\*b\*\_c\_ \`d\` \[e\]\(f\) \:red\[g\] \$h\$ \<i\>"
    )


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.84, "0.8 s"), (59, "59 s"), (119, "119 s"), (120, "2 min"), (7200, "2 h"), (2e5, "2 days")],
)
def test_a_duration_is_in_its_largest_unit(seconds, text):
    assert format_seconds(seconds) == text


def test_sizes_rates_and_changes_have_units_and_few_digits():
    assert [format_bytes(n) for n in (640, 12_345, 4_500_000)] == ["640 B", "12.3 kB", "4.5 MB"]
    assert [format_rate(n) for n in (None, 3.21, 12_345.6)] == ["not yet", "3.2/s", "12,346/s"]
    assert format_rate(3.21, "counts") == "3.2 counts/s"
    assert [format_change(n) for n in (0.123, -0.034)] == ["+12%", "-3.4%"]


@pytest.mark.parametrize(
    ("age", "text"),
    [
        (timedelta(seconds=-3), "just now"),
        (timedelta(seconds=4), "just now"),
        (timedelta(seconds=59), "59 s ago"),
        (timedelta(seconds=60), "1 min ago"),
        (timedelta(minutes=59, seconds=59), "59 min ago"),
        (timedelta(hours=23), "23 h ago"),
        (timedelta(days=1), "1 day ago"),
        (timedelta(days=30), "30 days ago"),
    ],
)
def test_an_age_is_in_its_largest_unit(age, text):
    assert format_age(age) == text


@pytest.mark.parametrize(
    "name", [None, "", "Mars/Olympus", "../etc/passwd", "/etc/passwd", "Europe"]
)
def test_an_unknown_time_zone_becomes_utc(name):
    assert find_time_zone(name).key == "UTC"


def test_a_day_has_its_year_unless_it_is_this_year_where_the_viewer_is():
    for zone, now, day in (
        ("Pacific/Auckland", datetime(2026, 12, 31, 19, tzinfo=UTC), "20 Dec 2026"),
        ("America/New_York", datetime(2027, 1, 1, 3, tzinfo=UTC), "20 Dec"),
    ):
        local = datetime(2026, 12, 20, 12, tzinfo=find_time_zone(zone))
        assert format_day(local, now) == day


def test_a_time_is_in_the_viewers_zone_and_has_its_date_unless_it_is_today():
    instant, zone = datetime(2026, 1, 5, 23, 30, tzinfo=UTC), find_time_zone("Asia/Kolkata")
    for later, time in (
        (timedelta(hours=18, minutes=59), "05:00:00"),
        (timedelta(hours=19), "Tue 06 Jan, 05:00:00"),
        (timedelta(days=365), "Tue 06 Jan 2026, 05:00:00"),
    ):
        assert format_time(instant, zone, instant + later) == time
