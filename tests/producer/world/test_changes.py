"""How much changes in the homes of a world."""

from datetime import UTC, datetime

from contract.instants import to_epoch_ms
from producer.world.activity import hour_of
from producer.world.changes import changes
from producer.world.time_units import HOUR
from tests.producer.first_homes import first_homes

HOMES = first_homes()
FRIDAY = to_epoch_ms(datetime(2026, 11, 20, 8, tzinfo=UTC))  # midnight in California


def test_a_day_has_about_100_000_messages_whatever_the_start() -> None:
    hours = [hour_of(FRIDAY + hour * HOUR) for hour in range(72)]
    messages = [sum(len(changes(home, hour)) for home in HOMES) for hour in hours]
    days = [sum(messages[start : start + 24]) for start in range(0, 48, 2)]
    assert all(90_000 < day < 110_000 for day in days), days
