from datetime import UTC, datetime, timedelta

import pytest

from dashboard.data.formatting import (
    ago,
    clock,
    counted,
    lasted,
    number,
    percent,
    plain,
    rate,
    size,
    zone_named,
)


def test_a_number_has_its_thousands_apart():
    assert [number(n) for n in (0, 999, 1000, 1234567)] == ["0", "999", "1,000", "1,234,567"]


def test_text_from_outside_has_no_meaning_in_markdown():
    assert plain("a*b*_c_ `d` [e](f) :red[g] $h$ <i>") == (
        r"a\*b\*\_c\_ \`d\` \[e\]\(f\) \:red\[g\] \$h\$ \<i\>"
    )


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.84, "0.8 s"), (59, "59 s"), (119, "119 s"), (120, "2 min"), (7200, "2 h"), (2e5, "2 days")],
)
def test_a_duration_is_told_in_its_largest_unit(seconds, words):
    assert lasted(seconds) == words


def test_sizes_rates_and_changes_are_told_for_people():
    assert [size(n) for n in (640, 12_345, 4_500_000)] == ["640 B", "12.3 kB", "4.5 MB"]
    assert [rate(n) for n in (None, 3.21, 12_345.6)] == ["not yet", "3.2/s", "12,346/s"]
    assert [percent(n) for n in (0.123, -0.034)] == ["+12%", "-3.4%"]


def test_one_thing_is_not_many():
    assert counted(1, "record") == "1 record"
    assert counted(2000, "record") == "2,000 records"


@pytest.mark.parametrize(
    ("elapsed", "words"),
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
def test_an_age_is_told_in_its_largest_unit(elapsed, words):
    assert ago(elapsed) == words


@pytest.mark.parametrize(
    "name", [None, "", "Mars/Olympus", "../etc/passwd", "/etc/passwd", "Europe"]
)
def test_a_zone_that_is_unknown_here_is_utc(name):
    assert zone_named(name).key == "UTC"


def test_a_moment_is_told_in_the_viewers_zone_with_its_day_if_that_is_not_today():
    moment = datetime(2026, 1, 5, 23, 30, tzinfo=UTC)
    assert clock(moment, zone_named("Asia/Kolkata")) == "Tue 06 Jan, 05:00:00"
    assert len(clock(datetime.now(UTC), zone_named("America/Los_Angeles"))) == len("05:00:00")
