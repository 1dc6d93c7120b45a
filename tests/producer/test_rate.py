"""How many messages a second a live world sends."""

from datetime import UTC, datetime
from itertools import islice, takewhile

import pytest

from producer.world.activity import hour_of, live_activity
from producer.world.changes import changes
from producer.world.homes import build_home
from producer.world.instants import to_epoch_ms
from producer.world.message_rate import live_rate, load_factor_for
from producer.world.messages import generate
from producer.world.time_units import HOUR, SECOND
from producer.world.timeline import Timeline

HOMES = [build_home(1, number) for number in range(500)]
NIGHT = to_epoch_ms(datetime(2026, 11, 21, 11, tzinfo=UTC))  # three in the morning, Saturday


def rate_of(story: Timeline, messages: int) -> float:
    """Messages a second after the first minute."""
    told = islice(generate(HOMES, story, story.start + 60 * SECOND), messages)
    last = [message.timestamp for message in told][-1]
    return messages / ((last - story.start) / SECOND - 60)


def test_by_default_live_has_the_rate_of_the_historys_busiest_hour() -> None:
    hours = [hour_of(NIGHT - n * HOUR) for n in range(1, 25)]
    busiest = max(sum(len(changes(dwelling, hour)) for dwelling in HOMES) for hour in hours)
    assert live_rate(HOMES, NIGHT) * 3600 == pytest.approx(busiest, rel=0.05)
    now = list(
        takewhile(lambda m: m.timestamp < NIGHT + HOUR, generate(HOMES, Timeline(1, NIGHT, NIGHT)))
    )
    assert len(now) == pytest.approx(busiest, rel=0.05)


@pytest.mark.parametrize("rate", [0.5, 5.0, 50.0, 2000.0])
def test_a_world_as_busy_as_asked_for_sends_as_many_messages(rate: float) -> None:
    busier = load_factor_for(rate, HOMES, NIGHT)
    assert live_rate(HOMES, NIGHT, busier) == pytest.approx(rate, rel=0.01)
    measured = rate_of(Timeline(1, NIGHT, NIGHT, busier), min(15_000, int(rate * 3600)))
    assert measured == pytest.approx(rate, rel=0.06)


def test_a_very_busy_world_is_drawn_in_short_slots() -> None:
    assert live_activity(NIGHT, 1)(NIGHT).hours == 1
    rhythm = live_activity(NIGHT, 1000)
    slot = rhythm(NIGHT + 12_345)
    assert slot.start <= NIGHT + 12_345 < slot.end
    assert slot.hours < 0.01
    assert rhythm(slot.end).start == slot.end
    assert rhythm(NIGHT - 1).hours == 1  # the history stays as it is


def test_a_busy_story_goes_on_from_anywhere() -> None:
    story = Timeline(1, NIGHT - HOUR, NIGHT, 40.0)
    told = list(islice(generate(HOMES, story), 4000))
    begin = told[2500].timestamp
    rest = [message for message in told if message.timestamp >= begin]
    assert list(islice(generate(HOMES, story, begin), len(rest))) == rest
