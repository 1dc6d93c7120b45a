"""A number or a time is a version; what is not there is one sentence."""

from datetime import UTC, datetime, timedelta

import pytest

from contract.errors import UserError
from contract.version_choice import parse_version
from pipeline.lake.table_versions import CommitTime, choose_version

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
COMMITS = [CommitTime(number, NOON + timedelta(minutes=number)) for number in (3, 4, 5)]


@pytest.mark.parametrize(
    ("as_of", "version"),
    [
        ("3", 3),
        ("5", 5),
        ("2026-11-20T12:03:30Z", 3),
        ("2026-11-20T13:04:00+01:00", 4),
        ("2026-11-20T12:04:59", 4),
        ("2030-01-01", 5),
    ],
)
def test_a_number_or_a_time_is_a_version(as_of: str, version: int) -> None:
    assert choose_version(parse_version(as_of), "camera", COMMITS) == version


@pytest.mark.parametrize(
    ("as_of", "message"),
    [
        ("2", "has no version 2: its log has the versions 3 to 5"),
        ("6", "has no version 6"),
        ("9" * 30, "has no version 999"),
        ("yesterday", "neither a version nor a time"),
        ("-1", "neither a version nor a time"),
        ("2026-11-20T12:02:59Z", "no version of 2026-11-20T12:02:59Z: its log begins at"),
        ("0001-01-01T00:00:00+10:00", "neither a version nor a time"),
    ],
)
def test_what_is_not_there_is_said_in_one_sentence(as_of: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        choose_version(parse_version(as_of), "camera", COMMITS)
