from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka import KafkaAdminClient

from contract.counts import Counts, report
from contract.errors import UserError
from contract.stats import StatsKey
from contract.topics import CAMERA_STATS, create_topics
from contract.waiting import poll_until
from dashboard.charts.hours import hours_chart
from dashboard.counts import SHOWN_UNREADABLE, CountsView, counts_view, read_counts
from dashboard.figures import zone_named
from tests.dashboard.records import NOON, count, key, send


def view_of(by_key: dict[StatsKey, int]) -> CountsView:
    return counts_view(Counts(by_key=by_key))


keys = st.builds(key, st.text(max_size=5), st.integers(-100, 100))


@given(st.dictionaries(keys, st.integers(0, 9)), st.integers(0, 9))
def test_the_page_and_the_command_line_give_the_same_report(by_key, threshold):
    rows = view_of(by_key).above(threshold)
    shown = list(zip(rows["zip_code"], rows["start"], rows["end"], rows["count"], strict=True))
    told = [
        (row.zip_code, row.window_start, row.window_end, row.count)
        for row in report(by_key, threshold)
    ]
    assert shown == told


def test_totals_are_over_all_zip_codes_and_hours():
    view = view_of({key("94304", 0): 5, key("94304", 1): 6, key("unknown", 0): 1})
    assert (view.total, view.zip_codes) == (12, 2)


def test_no_counts_give_an_empty_view():
    view = view_of({})
    assert view.rows.empty
    assert view.above(0).empty
    assert view.by_hour(0, NOON, timedelta(days=1)).empty


def test_an_hour_is_split_into_what_is_in_the_report_and_what_is_not():
    view = view_of({key("1", 0): 10, key("2", 0): 20, key("3", 0): 5, key("1", 1): 5})
    hours = view.by_hour(9, NOON + timedelta(hours=2), timedelta(days=1))
    assert hours[["start", "in_report", "count"]].to_numpy().tolist() == [
        [key("", 0).start, False, 5],
        [key("", 0).start, True, 30],
        [key("", 1).start, False, 5],
    ]


def test_the_hours_shown_are_the_newest_that_have_begun():
    view = view_of({key("1", hour): 1 for hour in (-100, -23, 0, 50)})
    hours = view.by_hour(0, NOON + timedelta(minutes=5), timedelta(days=1))
    assert list(hours["start"]) == [key("", -23).start, key("", 0).start]


def test_a_window_at_the_end_of_time_is_shown_like_any_other():
    end = datetime(9999, 12, 31, 23, tzinfo=UTC)
    view = view_of({StatsKey("1", end, end): 7, key("2"): 1})
    assert view.above(0)["start"].iloc[0] == end


def test_only_the_newest_unreadable_records_are_kept_and_without_credentials():
    unreadable = [f"offset {n}: access_token=c.secret" for n in range(SHOWN_UNREADABLE + 5)]
    view = counts_view(Counts(unreadable=unreadable))
    assert view.unreadable == SHOWN_UNREADABLE + 5
    assert len(view.unreadable_newest) == SHOWN_UNREADABLE
    assert view.unreadable_newest[0] == f"offset {SHOWN_UNREADABLE + 4}: access_token=***"
    assert not any("secret" in line for line in view.unreadable_newest)


def test_a_bar_stands_on_the_one_below_it():
    hours = view_of({key("1"): 10, key("2"): 3}).by_hour(9, NOON, timedelta(days=1))
    chart = hours_chart(hours, zone_named("UTC"), height=100)
    bars = chart.data[["part", "bottom", "top"]].to_numpy().tolist()
    assert bars == [["in the report", 0, 10], ["other zip codes", 10, 13]]


@pytest.fixture
def views(fresh_topics: str) -> Iterator[Iterator[CountsView]]:
    reading = read_counts(fresh_topics)
    yield reading
    reading.close()


@pytest.mark.kafka
def test_each_view_has_what_came_since_the_one_before(views, fresh_topics):
    assert next(views).total == 0
    for hour in range(3):
        send(fresh_topics, count("94304", hour, 10), count("94304", hour, 20))
        assert next(views).total == 20 * (hour + 1)
    send(fresh_topics, (count("94304", 0, 0)[0], None))
    assert next(views).total == 40


@pytest.mark.kafka
def test_a_view_in_which_nothing_changed_is_the_same_one(views, fresh_topics):
    send(fresh_topics, count("94304", 0, 10))
    first = next(views)
    assert next(views) is first


@pytest.mark.kafka
def test_a_topic_made_anew_is_counted_from_its_start(views, fresh_topics):
    send(fresh_topics, count("94304", 0, 10), count("94305", 0, 10))
    assert next(views).total == 20
    admin = KafkaAdminClient(bootstrap_servers=fresh_topics)
    admin.delete_topics([CAMERA_STATS.name])
    poll_until(lambda: CAMERA_STATS.name not in admin.list_topics(), "the topic's end", 30)
    create_topics(admin)
    admin.close()
    send(fresh_topics, count("94306", 0, 1))
    assert next(views).total == 1


@pytest.mark.kafka
def test_a_broker_without_the_topic_is_told_in_plain_words(bootstrap_servers):
    admin = KafkaAdminClient(bootstrap_servers=bootstrap_servers)
    if CAMERA_STATS.name in admin.list_topics():
        admin.delete_topics([CAMERA_STATS.name])
        poll_until(lambda: CAMERA_STATS.name not in admin.list_topics(), "the topic's end", 30)
    admin.close()
    with pytest.raises(UserError, match="There is no topic nest-camera-stats"):
        next(read_counts(bootstrap_servers))
