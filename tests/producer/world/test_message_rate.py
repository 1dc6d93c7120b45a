"""How many messages a second a live world sends."""

from datetime import UTC, datetime
from itertools import islice, takewhile

import pytest

from contract.instants import to_epoch_ms
from producer.world.activity import hour_of
from producer.world.changes import changes
from producer.world.message_rate import live_rate, load_factor_for
from producer.world.messages import generate
from producer.world.time_units import HOUR, SECOND
from producer.world.timeline import Timeline
from tests.producer.first_homes import first_homes

HOMES = first_homes(500)
NIGHT = to_epoch_ms(datetime(2026, 11, 21, 11, tzinfo=UTC))  # three in the morning, Saturday


def measured_rate(timeline: Timeline, messages: int) -> float:
    """Messages a second after the first minute."""
    generated = islice(generate(HOMES, timeline, timeline.start + 60 * SECOND), messages)
    last = [message.timestamp for message in generated][-1]
    return messages / ((last - timeline.start) / SECOND - 60)


def test_by_default_a_live_world_has_the_rate_of_the_historys_busiest_hour() -> None:
    hours = [hour_of(NIGHT - n * HOUR) for n in range(1, 25)]
    busiest = max(sum(len(changes(home, hour)) for home in HOMES) for hour in hours)
    assert live_rate(HOMES, NIGHT) * 3600 == pytest.approx(busiest, rel=0.05)
    live = generate(HOMES, Timeline(1, NIGHT, NIGHT))
    first_hour = list(takewhile(lambda message: message.timestamp < NIGHT + HOUR, live))
    assert len(first_hour) == pytest.approx(busiest, rel=0.05)


@pytest.mark.parametrize("rate", [0.5, 5.0, 50.0, 2000.0])
def test_a_world_sends_as_many_messages_as_are_asked_for(rate: float) -> None:
    load_factor = load_factor_for(rate, HOMES, NIGHT)
    assert live_rate(HOMES, NIGHT, load_factor) == pytest.approx(rate, rel=0.01)
    timeline = Timeline(1, NIGHT, NIGHT, load_factor)
    assert measured_rate(timeline, min(15_000, int(rate * 3600))) == pytest.approx(rate, rel=0.06)
