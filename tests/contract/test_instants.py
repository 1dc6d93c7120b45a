"""Instants are written as ISO 8601 in UTC with a Z."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from contract.instants import (
    Precision,
    add_within_calendar,
    format_hour,
    format_instant,
    from_epoch_ms,
    parse_instant,
    whole_hour,
)

MOMENT = datetime(2026, 11, 20, 10, 0, 0, 123_456, tzinfo=UTC)


@pytest.mark.parametrize(
    ("precision", "text"),
    [
        ("seconds", "2026-11-20T10:00:00Z"),
        ("milliseconds", "2026-11-20T10:00:00.123Z"),
        ("microseconds", "2026-11-20T10:00:00.123456Z"),
    ],
)
def test_what_is_finer_than_the_precision_is_cut(precision: Precision, text: str) -> None:
    assert format_instant(MOMENT, precision) == text


def test_an_hour_begins_in_the_time_zone_of_the_instant() -> None:
    in_india = MOMENT.astimezone(timezone(timedelta(hours=5, minutes=30)))
    assert whole_hour(MOMENT) == datetime(2026, 11, 20, 10, tzinfo=UTC)
    assert whole_hour(in_india) == datetime(2026, 11, 20, 9, 30, tzinfo=UTC)


def test_the_span_of_an_hour_names_its_day_once() -> None:
    start = whole_hour(MOMENT)
    assert format_hour(start, start + timedelta(hours=1)) == "2026-11-20 10:00 to 11:00"


def test_another_time_zone_is_written_in_utc() -> None:
    in_california = MOMENT.astimezone(timezone(timedelta(hours=-8)))
    assert format_instant(in_california) == "2026-11-20T10:00:00.123Z"


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        (1795168800123, "2026-11-20T10:00:00.123Z"),
        (253402300799999, "9999-12-31T23:59:59.999Z"),
        (253402300800000, "9999-12-31T23:59:59.999Z"),
        (-(10**14), "0001-01-01T00:00:00.000Z"),
        (10**18, "9999-12-31T23:59:59.999Z"),
        (-4 * 10**18, "0001-01-01T00:00:00.000Z"),
        (2**63 - 1, "9999-12-31T23:59:59.999Z"),
        (-(2**63), "0001-01-01T00:00:00.000Z"),
    ],
)
def test_any_64_bit_timestamp_is_an_instant(milliseconds: int, text: str) -> None:
    assert format_instant(from_epoch_ms(milliseconds)) == text


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2026-11-20T10:00", "2026-11-20T10:00:00.000Z"),
        ("2026-11-20T10:00:00Z", "2026-11-20T10:00:00.000Z"),
        ("2026-11-20T10:00:00-08:00", "2026-11-20T18:00:00.000Z"),
    ],
)
def test_a_time_that_a_person_writes_is_in_utc_unless_it_has_an_offset(
    text: str, instant: str
) -> None:
    assert format_instant(parse_instant(text)) == instant


@pytest.mark.parametrize("text", ["yesterday", "", "0001-01-01T00:00+10:00"])
def test_what_is_no_time_in_utc_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"isoformat|not in the years"):
        parse_instant(text)


def test_an_instant_is_shifted_to_the_ends_of_the_calendar_at_most() -> None:
    first, last = (each.replace(tzinfo=UTC) for each in (datetime.min, datetime.max))
    day = timedelta(days=1)
    assert (add_within_calendar(MOMENT, day), add_within_calendar(MOMENT, -day)) == (
        MOMENT + day,
        MOMENT - day,
    )
    assert (add_within_calendar(last, day), add_within_calendar(first, -day)) == (last, first)
