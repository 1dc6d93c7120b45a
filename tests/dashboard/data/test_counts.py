"""The counts as a table that pages draw from."""

from collections import deque
from collections.abc import Generator, Iterator
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.counts import Counts, report
from contract.errors import UserError
from contract.kafka.connections import open_admin
from contract.stats import StatsKey
from contract.topic_admin import create_topics
from contract.topics import CAMERA_STATS
from dashboard.data.counts import CountsView, counts_view, read_counts
from dashboard.data.selection import Selection
from tests.fixtures.kafka import delete_topic
from tests.sample.counts import count, key, send_counts
from tests.sample.lake import NOON

keys = st.builds(key, st.text(max_size=5), st.integers(-100, 100))


def view_of(by_key: dict[StatsKey, int]) -> CountsView:
    return counts_view(Counts(by_key=by_key))


def hours_of(view: CountsView) -> list[int]:
    return sorted((start - NOON) // timedelta(hours=1) for start in view.rows["start"])


@given(st.dictionaries(keys, st.integers(0, 9)), st.integers(0, 9))
def test_the_page_and_the_command_line_give_the_same_report(by_key, threshold):
    rows = view_of(by_key).report(threshold)
    on_page = list(zip(rows["zip_code"], rows["start"], rows["end"], rows["count"], strict=True))
    printed = [
        (row.zip_code, row.window_start, row.window_end, row.count)
        for row in report(by_key, threshold)
    ]
    assert on_page == printed


def test_totals_are_over_all_zip_codes_and_hours():
    view = view_of({key("94304", 0): 5, key("94304", 1): 6, key("unknown", 0): 1})
    assert (view.total, view.zip_codes) == (12, ["94304", "unknown"])


def test_no_counts_give_an_empty_view():
    view = view_of({})
    assert view.rows.empty
    assert view.report(0).empty
    assert view.zip_codes == []
    assert view.select(Selection(lookback=timedelta(days=1)), NOON).rows.empty


def test_a_lookback_ends_with_the_newest_hour_that_has_started():
    view = view_of({key("1", hour): 1 for hour in (-100, -23, 0, 50)})
    now = NOON + timedelta(minutes=5)
    assert hours_of(view.select(Selection(lookback=timedelta(days=1)), now)) == [-23, 0]
    assert hours_of(view.select(Selection(), now)) == [-100, -23, 0, 50]


def test_a_range_includes_its_start_and_excludes_its_end():
    view = view_of({key("1", hour): 1 for hour in range(5)})
    selection = Selection(start=NOON + timedelta(hours=1), end=NOON + timedelta(hours=3))
    assert hours_of(view.select(selection, NOON)) == [1, 2]


def test_the_newest_hours_are_those_that_have_begun_oldest_first():
    view = view_of({key(zip_code, hour): 1 for zip_code in ("1", "2") for hour in (3, 1, 0, 2, 9)})
    assert view.newest_hours(3, NOON + timedelta(hours=4)) == [
        NOON + timedelta(hours=hour) for hour in (1, 2, 3)
    ]
    assert view_of({}).newest_hours(3, NOON) == []


def test_only_the_selected_zip_codes_are_shown():
    view = view_of({key("1"): 1, key("2"): 2, key("3"): 3})
    selected = view.select(Selection(zip_codes=("3", "1", "none")), NOON)
    assert (selected.total, selected.zip_codes) == (4, ["1", "3"])


def test_a_window_at_the_end_of_time_is_shown_like_any_other():
    end = datetime(9999, 12, 31, 23, tzinfo=UTC)
    view = view_of({StatsKey("1", end, end): 7, key("2"): 1})
    assert view.report(0)["start"].iloc[0] == end


def test_the_newest_unreadable_record_comes_first_and_all_are_without_credentials():
    newest = deque(f"offset {n}: access_token=c.secret" for n in (7, 8))
    view = counts_view(Counts(unreadable_total=9, unreadable=newest))
    assert view.unreadable_total == 9
    assert view.unreadable == tuple(f"offset {n}: access_token=***" for n in (8, 7))


@pytest.fixture
def views(fresh_topics: str) -> Iterator[Generator[CountsView, None, None]]:
    reading = read_counts(fresh_topics)
    yield reading
    reading.close()


@pytest.mark.kafka
def test_each_view_has_the_records_that_came_since_the_last(views, fresh_topics):
    assert next(views).total == 0
    for hour in range(3):
        send_counts(fresh_topics, count("94304", hour, 10), count("94304", hour, 20))
        assert next(views).total == 20 * (hour + 1)
    send_counts(fresh_topics, (count("94304", 0, 0)[0], None))
    assert next(views).total == 40


@pytest.mark.kafka
def test_a_refresh_without_new_records_sorts_no_counts_again(views, fresh_topics, monkeypatch):
    send_counts(fresh_topics, count("94304", 0, 10))
    assert next(views).total == 10
    monkeypatch.setattr("dashboard.data.counts.counts_view", lambda _: pytest.fail("sorted again"))
    assert next(views).total == 10


@pytest.mark.kafka
def test_a_recreated_topic_is_counted_from_its_start(views, fresh_topics):
    send_counts(fresh_topics, count("94304", 0, 10), count("94305", 0, 10))
    assert next(views).total == 20
    delete_topic(fresh_topics, CAMERA_STATS.name)
    with open_admin(fresh_topics) as admin:
        create_topics(admin)
    send_counts(fresh_topics, count("94306", 0, 1))
    assert next(views).total == 1


@pytest.mark.kafka
def test_a_missing_topic_is_named(bootstrap_servers):
    delete_topic(bootstrap_servers, CAMERA_STATS.name)
    with pytest.raises(UserError, match="There is no topic nest-camera-stats"):
        next(read_counts(bootstrap_servers))
