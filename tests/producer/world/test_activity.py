"""How busy an interval is: by the local time of day or, in a live world, by its load factor."""

from datetime import UTC, datetime

from contract.instants import to_epoch_ms
from producer.world.activity import hour_of, live_activity
from producer.world.time_units import HOUR

NIGHT = to_epoch_ms(datetime(2026, 11, 21, 11, tzinfo=UTC))  # three in the morning, Saturday


def test_an_hour_depends_on_the_local_clock_and_its_summer_time() -> None:
    winter = hour_of(to_epoch_ms(datetime(2026, 11, 20, 2, 30, tzinfo=UTC)))  # 18:30
    summer = hour_of(to_epoch_ms(datetime(2026, 7, 17, 1, 30, tzinfo=UTC)))  # 18:30
    assert winter.people_factor == summer.people_factor
    assert winter.end - winter.start == HOUR


def test_a_very_busy_world_has_short_intervals() -> None:
    assert live_activity(NIGHT, 1)(NIGHT).hours == 1
    activity = live_activity(NIGHT, 1000)
    interval = activity(NIGHT + 12_345)
    assert interval.start <= NIGHT + 12_345 < interval.end
    assert interval.hours < 0.01
    assert activity(interval.end).start == interval.end
    assert activity(NIGHT - 1).hours == 1  # the history stays as it is
