"""A selection as the query of an address."""

from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.errors import UserError
from dashboard.data.query_values import FIRST_INSTANT, HIGHEST_NUMBER, LAST_INSTANT
from dashboard.data.selection import Selection
from dashboard.data.selection_query import LOOKBACKS, parse_selection, selection_query

minutes = st.datetimes(
    FIRST_INSTANT.replace(tzinfo=None), LAST_INSTANT.replace(tzinfo=None), timezones=st.just(UTC)
).map(lambda instant: instant.replace(second=0, microsecond=0))
limits = st.none() | minutes
thresholds = st.integers(0, HIGHEST_NUMBER)
zip_codes = st.lists(st.text(min_size=1)).map(tuple)
selections = st.builds(Selection, thresholds, st.none(), limits, limits, zip_codes) | st.builds(
    Selection, thresholds, st.sampled_from([*LOOKBACKS.values()]), zip_codes=zip_codes
)


def parsed(query: str, default_threshold: int = 7) -> Selection:
    return parse_selection(parse_qs(query), default_threshold)


@given(selections)
def test_the_query_names_the_selection_it_is_made_of(selection: Selection):
    assert parsed(selection_query(selection)) == selection


def test_an_address_of_the_page_names_what_the_page_shows():
    start = datetime(2026, 11, 20, 10, tzinfo=UTC)
    assert parsed("") == Selection(7)
    assert parsed("hours=All&zip=94304") == Selection(7, zip_codes=("94304",))
    assert parsed("hours=24+h&from=2026-11-20T10:00Z") == Selection(7, timedelta(days=1))
    assert parsed("hours=All&to=2026-11-20T10:00Z") == Selection(7)
    assert parsed("hours=From/to&from=2026-11-20T10:00Z") == Selection(7, start=start)
    assert parsed("from=2026-11-20T10:00Z") == Selection(7, start=start)


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("treshold", "5", "The parameters can be threshold, hours, from, to, zip"),
        ("threshold", "-5", "threshold is not a whole number from 0 to 999,999,999"),
        ("hours", "25 h", "hours is not one of 24 h, 3 days, 7 days, All, From/to"),
        ("from", "yesterday", "from is not a time between 1970 and 9999"),
        ("to", "0001-01-01T00:00Z", "to is not a time between 1970 and 9999"),
    ],
)
def test_a_query_that_names_no_selection_is_refused(name: str, value: str, reason: str):
    with pytest.raises(UserError, match=reason):
        parsed(urlencode({name: value}))
