"""Timestamps are read to the microsecond, as UTC, in the one spelling that the design knows."""

from datetime import UTC, datetime

import pytest

from check.rules.instants import format_instant, parse_instant
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
