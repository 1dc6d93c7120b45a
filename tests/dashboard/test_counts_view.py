from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka import KafkaAdminClient

from contract.counts import Counts, report
from contract.errors import UserError
from contract.polling import poll_until
from contract.stats import StatsKey
from contract.topics import CAMERA_STATS, create_topics
from dashboard.charts.time_bars import hours_chart
from dashboard.data.aggregates import by_time, by_zip_code_and_time, time_buckets
from dashboard.data.counts import (
    SHOWN_UNREADABLE,
    CountsView,
    counts_view,
    last_full_hour,
    newest_hour,
    read_counts,
)
from dashboard.data.formatting import zone_named
from dashboard.views.report_table import as_csv as page_csv
from dashboard.widgets.selection_controls import Selection
from demo.report_formats import as_csv
from tests.dashboard.count_records import NOON, count, key, send


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
    assert (view.total, view.zip_codes) == (12, ["94304", "unknown"])


def test_no_counts_give_an_empty_view():
    view = view_of({})
    assert view.rows.empty
    assert view.above(0).empty
    assert view.zip_codes == []
    assert view.part(Selection(span=timedelta(days=1)), NOON).rows.empty


def hours_of(rows) -> list[int]:
    return sorted((start - NOON) // timedelta(hours=1) for start in rows["start"])


def test_a_span_ends_with_the_newest_hour_that_has_begun():
    view = view_of({key("1", hour): 1 for hour in (-100, -23, 0, 50)})
    now = NOON + timedelta(minutes=5)
    assert hours_of(view.chosen(Selection(span=timedelta(days=1)), now)) == [-23, 0]
    assert hours_of(view.chosen(Selection(), now)) == [-100, -23, 0, 50]


def test_a_range_has_its_beginning_and_not_its_end():
    view = view_of({key("1", hour): 1 for hour in range(5)})
    chosen = Selection(begin=NOON + timedelta(hours=1), end=NOON + timedelta(hours=3))
    assert hours_of(view.chosen(chosen, NOON)) == [1, 2]


def test_the_chosen_zip_codes_are_the_only_ones():
    view = view_of({key("1"): 1, key("2"): 2, key("3"): 3})
    part = view.part(Selection(zip_codes=("3", "1", "none")), NOON)
    assert (part.total, part.zip_codes) == (4, ["1", "3"])


def test_the_last_full_hour_is_compared_with_the_hour_before_it():
    counts = {key("1", 0): 40, key("2", 0): 10, key("1", 1): 60, key("1", 2): 5, key("1", 3): 9}
    rows = view_of(counts).rows
    now = NOON + timedelta(hours=2, minutes=30)
    hour = last_full_hour(rows, now, among=rows)
    assert hour == (NOON + timedelta(hours=1), 60, 50)
    assert hour.change == pytest.approx(0.2)
    assert newest_hour(rows, now) == (NOON + timedelta(hours=2), 5, 60)
    assert last_full_hour(rows, NOON, among=rows) is None


def test_there_is_no_change_after_an_hour_without_anybody():
    rows = view_of({key("1", 5): 4, key("1", 7): 1}).rows
    assert last_full_hour(rows, NOON + timedelta(days=1), among=rows).change is None


def test_an_hour_is_split_into_what_is_in_the_report_and_what_is_not():
    view = view_of({key("1", 0): 10, key("2", 0): 20, key("3", 0): 5, key("1", 1): 5})
    rows, unit = time_buckets(view.rows, zone_named("UTC"))
    assert unit == "hour"
    assert by_time(rows, 9)[["from", "in_report", "count"]].to_numpy().tolist() == [
        [key("", 0).start, False, 5],
        [key("", 0).start, True, 30],
        [key("", 1).start, False, 5],
    ]


def test_many_hours_are_put_together_to_the_viewers_days():
    view = view_of({key("1", hour): 1 for hour in range(24 * 12)})
    rows, unit = time_buckets(view.rows, zone_named("Asia/Kolkata"))
    days = by_time(rows, 9)
    assert unit == "day"
    assert days["count"].sum() == 24 * 12
    assert days["count"].iloc[1:-1].between(23, 25).all()
    midnights = days["from"].dt.tz_convert("Asia/Kolkata")
    assert (midnights == midnights.dt.normalize()).all()


@given(st.lists(st.integers(-20_000, 20_000), min_size=200, max_size=300, unique=True))
def test_nothing_is_lost_when_hours_become_days_in_a_zone_with_summer_time(hours):
    view = view_of({key("1", hour): 1 for hour in hours})
    rows, _ = time_buckets(view.rows, zone_named("America/Los_Angeles"))
    assert by_time(rows, 0)["count"].sum() == len(hours)
    assert (rows["from"] <= rows["start"]).all()
    assert (rows["start"] < rows["to"]).all()


def test_a_heat_map_has_the_zip_codes_with_the_most_and_tells_how_many_it_leaves_out():
    view = view_of({key(str(number), hour): number for number in range(20) for hour in range(2)})
    rows, _ = time_buckets(view.rows, zone_named("UTC"))
    cells, left_out = by_zip_code_and_time(rows, most=3)
    assert left_out == 17
    assert set(cells["zip_code"]) == {"17", "18", "19"}
    assert len(cells) == 6


def test_the_download_is_what_the_command_line_prints():
    by_key = {key("94304", 0): 1234, key("01002", 1): 2000}
    printed = as_csv(report(by_key, 1000))
    assert page_csv(view_of(by_key).above(1000)).decode().rstrip("\n") == printed


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
    rows, _ = time_buckets(view_of({key("1"): 10, key("2"): 3}).rows, zone_named("UTC"))
    chart = hours_chart(by_time(rows, 9), zone_named("UTC"), height=100)
    bars = chart.data[["part", "bottom", "top"]].to_numpy().tolist()
    assert bars == [["in the report", 0, 10], ["not in the report", 10, 13]]


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
