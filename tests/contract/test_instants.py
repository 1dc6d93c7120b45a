"""Instants are written as ISO 8601 in UTC with a Z."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from contract.instants import Precision, format_instant

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


def test_another_time_zone_is_written_in_utc() -> None:
    in_california = MOMENT.astimezone(timezone(timedelta(hours=-8)))
    assert format_instant(in_california) == "2026-11-20T10:00:00.123Z"
