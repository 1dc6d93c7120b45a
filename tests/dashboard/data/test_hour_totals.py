"""The newest hours compared with hours before."""

from datetime import timedelta

import pytest

from contract.counts import Counts
from dashboard.data.counts import counts_view
from dashboard.data.hour_totals import last_full_hour, newest_hour
from tests.sample.counts import key
from tests.sample.lake import NOON


def test_the_last_full_hour_is_compared_with_the_hour_before_it():
    counts = {
        key("1", -1): 7,
        key("1", 0): 40,
        key("2", 0): 10,
        key("1", 1): 60,
        key("1", 2): 5,
        key("1", 3): 9,
    }
    rows = counts_view(Counts(by_key=counts)).rows
    now = NOON + timedelta(hours=2, minutes=30)
    hour = last_full_hour(rows, now, rows)
    assert hour.change == pytest.approx(0.2)
    assert hour == (NOON + timedelta(hours=1), 60, 50, None)
    assert newest_hour(rows, now) == (NOON + timedelta(hours=2), 5, 60, None)
    assert last_full_hour(rows, NOON - timedelta(hours=1), rows) is None


def test_there_is_no_change_after_an_hour_without_sightings():
    rows = counts_view(Counts(by_key={key("1", 5): 4, key("1", 7): 1})).rows
    assert last_full_hour(rows, NOON + timedelta(days=1), rows).change is None


def test_an_hour_is_compared_with_the_same_hour_of_the_day_before():
    counts = {
        key("1", -30): 1,
        key("1", -23): 40,
        key("2", -23): 10,
        key("1", 1): 60,
        key("1", 2): 1,
    }
    rows = counts_view(Counts(by_key=counts)).rows
    hour = last_full_hour(rows, NOON + timedelta(hours=3), rows)
    assert hour.change is None
    assert hour.change_in_a_day == pytest.approx(0.2)
    assert hour == (NOON + timedelta(hours=1), 60, 0, 50)


def test_no_hour_is_compared_with_the_first_one_which_may_be_partial():
    counts = {key("1", -23): 1, key("1", -22): 30, key("1", 1): 60, key("1", 2): 45, key("1", 3): 1}
    rows = counts_view(Counts(by_key=counts)).rows
    hour = last_full_hour(rows, NOON + timedelta(hours=2, minutes=30), rows)
    assert hour.change_in_a_day is None
    assert hour == (NOON + timedelta(hours=1), 60, 0, None)
    next_hour = last_full_hour(rows, NOON + timedelta(hours=3, minutes=30), rows)
    assert next_hour.change_in_a_day == pytest.approx(0.5)
