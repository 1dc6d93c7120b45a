"""The slider of hours: each hour has a label of its own."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from dashboard.widgets.hour_player import hour_labels

FRIDAY = datetime(2026, 11, 20, 14, tzinfo=UTC)
HOUR, WEEK = timedelta(hours=1), timedelta(weeks=1)
CLOCKS_BACK = datetime(2026, 11, 1, 5, tzinfo=UTC)
NEW_YORK = ZoneInfo("America/New_York")


@pytest.mark.parametrize(
    ("hours", "zone", "labels"),
    [
        ([], ZoneInfo("UTC"), []),
        ([FRIDAY, FRIDAY + HOUR], ZoneInfo("UTC"), ["Fri 14:00", "Fri 15:00"]),
        ([FRIDAY, FRIDAY + WEEK], ZoneInfo("UTC"), ["Fri 20 Nov, 14:00", "Fri 27 Nov, 14:00"]),
        ([CLOCKS_BACK, CLOCKS_BACK + HOUR], NEW_YORK, ["Sun 01:00 EDT", "Sun 01:00 EST"]),
        (
            [FRIDAY - 313 * WEEK, FRIDAY],
            ZoneInfo("UTC"),
            ["Fri 20 Nov 2020, 14:00 +0000", "Fri 20 Nov 2026, 14:00 +0000"],
        ),
    ],
)
def test_no_two_hours_have_the_same_label(
    hours: list[datetime], zone: ZoneInfo, labels: list[str]
) -> None:
    assert list(hour_labels(hours, zone).values()) == labels
