"""Timestamps are read in every spelling of ISO 8601 that the messages may use."""

from datetime import UTC, datetime

import pytest

from pipeline.parsing.timestamps import parse_timestamp


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2026-11-20T10:00:00Z", datetime(2026, 11, 20, 10, tzinfo=UTC)),
        ("2026-11-20T10:00:00", datetime(2026, 11, 20, 10, tzinfo=UTC)),
        ("2026-11-20T12:00:00+02:00", datetime(2026, 11, 20, 10, tzinfo=UTC)),
        ("2026-11-20T06:30:00-0330", datetime(2026, 11, 20, 10, tzinfo=UTC)),
        ("2026-11-20T05:00:00-05", datetime(2026, 11, 20, 10, tzinfo=UTC)),
        ("2026-11-20T10:00:00.1Z", datetime(2026, 11, 20, 10, 0, 0, 100_000, tzinfo=UTC)),
        ("2026-11-20T10:00:00.123456999Z", datetime(2026, 11, 20, 10, 0, 0, 123_456, tzinfo=UTC)),
        ("0001-01-01T00:00:00Z", datetime(1, 1, 1, tzinfo=UTC)),
        ("0001-01-01T00:00:00+01:00", None),
        ("0000-01-01T00:00:00Z", None),
        ("2026-11-20 10:00:00Z", None),
        ("2026-11-20T10:00Z", None),
        ("2026-11-20T24:00:00Z", None),
        ("2026-11-20T10:00:60Z", None),
        ("2026-11-20T10:00:00.1234567890Z", None),
        ("2026-11-20T10:00:00z", None),
        ("٢٠٢٦-11-20T10:00:00Z", None),
        ("", None),
    ],
)
def test_timestamps_are_iso_8601_to_the_microsecond(text: str, instant: datetime | None) -> None:
    assert parse_timestamp(text) == instant
