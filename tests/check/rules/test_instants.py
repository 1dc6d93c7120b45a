"""Timestamps are read to the microsecond, as UTC, in the one spelling that the design knows."""

from datetime import UTC, datetime

import pytest

from check.rules.instants import format_instant, parse_instant, record_timestamp
from tests.check.rules.timestamps import OTHER_SPELLINGS, SPELLINGS


@pytest.mark.parametrize(("text", "shortest"), SPELLINGS.items())
def test_a_timestamp_is_read_to_the_microsecond_in_utc(text: str, shortest: str) -> None:
    instant = parse_instant(text)
    assert instant is not None
    assert format_instant(instant) == shortest


@pytest.mark.parametrize("text", OTHER_SPELLINGS)
def test_no_other_spelling_is_a_timestamp(text: str) -> None:
    assert parse_instant(text) is None


def test_instants_count_from_1970() -> None:
    moment = datetime(2026, 11, 20, 10, 20, tzinfo=UTC)
    assert parse_instant("2026-11-20T10:20:00Z") == moment.timestamp() * 1_000_000
    assert parse_instant("1970-01-01T00:00:00.000001Z") == 1
    assert parse_instant("1969-12-31T23:59:59.999999Z") == -1


@pytest.mark.parametrize("instant", [-(2**63), 2**63 - 1, 253_402_300_800_000_000])
def test_any_instant_can_be_shown(instant: int) -> None:
    assert format_instant(instant) == f"{instant} µs"


@pytest.mark.parametrize(
    ("milliseconds", "usable"),
    [
        (0, True),
        (253_402_300_799_999, True),
        (253_402_300_800_000, False),
        (-1, False),
        (-(2**63), False),
        (2**63 - 1, False),
        (None, False),
    ],
)
def test_a_record_timestamp_lies_in_the_years_1970_to_9999(
    milliseconds: int | None, usable: bool
) -> None:
    expected = milliseconds * 1000 if usable and milliseconds is not None else None
    assert record_timestamp(milliseconds) == expected
