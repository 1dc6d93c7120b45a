"""Values of an address: which are numbers and instants, and which are none."""

from datetime import UTC, datetime

import pytest

from dashboard.data.query_values import instant, whole_number


@pytest.mark.parametrize(
    ("text", "number"),
    [("7", 7), ("0", 0), ("-1", None), ("a<b>", None), ("1e999", None), ("", None)],
)
def test_a_number_is_whole_and_not_below_zero(text: str, number: int | None):
    assert whole_number(text) == number


@pytest.mark.parametrize(
    "text",
    [
        "0001-01-01T00:00Z",
        "0001-01-01T00:00+14:00",
        "9999-12-31T23:59Z",
        "9999-12-31T23:59-12:00",
        "-1200-01-01",
        "yesterday",
    ],
)
def test_an_instant_is_one_that_can_be_chosen(text: str):
    assert instant(text) is None
    assert instant("1970-01-02T00:00Z") == datetime(1970, 1, 2, tzinfo=UTC)
    assert instant("9999-12-30T00:00Z") == datetime(9999, 12, 30, tzinfo=UTC)
