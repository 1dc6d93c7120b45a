"""Counts summed by hour, day and zip code."""

from hypothesis import given
from hypothesis import strategies as st

from contract.counts import Counts
from contract.stats import UNPLACED, StatsKey
from dashboard.data.aggregates import counts_by_time, counts_by_zip_code_and_time, with_time_buckets
from dashboard.data.counts import counts_view
from dashboard.data.formatting import find_time_zone
from tests.sample.counts import key


def rows_of(by_key: dict[StatsKey, int]):
    return counts_view(Counts(by_key=by_key)).rows


def test_an_hour_is_split_into_sightings_in_the_report_and_others():
    counts = rows_of({key("1", 0): 10, key("2", 0): 20, key("3", 0): 5, key("1", 1): 5})
    rows, unit = with_time_buckets(counts, find_time_zone("UTC"))
    assert unit == "hour"
    assert counts_by_time(rows, 9)[["from", "in_report", "count"]].to_numpy().tolist() == [
        [key("", 0).start, False, 5],
        [key("", 0).start, True, 30],
        [key("", 1).start, False, 5],
    ]


def test_many_hours_are_summed_by_the_viewers_days():
    counts = rows_of({key("1", hour): 1 for hour in range(24 * 12)})
    rows, unit = with_time_buckets(counts, find_time_zone("Asia/Kolkata"))
    days = counts_by_time(rows, 9)
    assert unit == "day"
    assert days["count"].sum() == 24 * 12
    assert days["count"].iloc[1:-1].between(23, 25).all()
    midnights = days["from"].dt.tz_convert("Asia/Kolkata")
    assert (midnights == midnights.dt.normalize()).all()


@given(st.lists(st.integers(-20_000, 20_000), min_size=200, max_size=300, unique=True))
def test_no_count_is_lost_when_hours_become_days_in_a_zone_with_summer_time(hours):
    counts = rows_of({key("1", hour): 1 for hour in hours})
    rows, _ = with_time_buckets(counts, find_time_zone("America/Los_Angeles"))
    assert counts_by_time(rows, 0)["count"].sum() == len(hours)
    assert (rows["from"] <= rows["start"]).all()
    assert (rows["start"] < rows["to"]).all()


def test_a_heat_map_has_the_zip_codes_with_the_most_sightings_and_the_number_of_others():
    counts = rows_of({key(str(number), hour): number for number in range(20) for hour in range(2)})
    rows, _ = with_time_buckets(counts, find_time_zone("UTC"))
    cells, others = counts_by_zip_code_and_time(rows, max_zip_codes=3)
    assert others == 17
    assert set(cells["zip_code"]) == {"17", "18", "19"}
    assert len(cells) == 6


def test_sightings_without_a_known_zip_code_are_not_of_another_zip_code():
    counts = rows_of({key(zip_code): 5 for zip_code in ("1", "2", "3")} | {key(UNPLACED): 1})
    rows, _ = with_time_buckets(counts, find_time_zone("UTC"))
    assert counts_by_zip_code_and_time(rows, max_zip_codes=2)[1] == 1
