"""Each trigger takes records from topic to topic; two say what they cannot do."""

import pytest

from examples.kafka.triggers import TRIGGERS, run
from examples.playground import Playground

pytestmark = [pytest.mark.spark, pytest.mark.kafka]


def test_every_trigger_takes_records_from_topic_to_topic(playground: Playground) -> None:
    observed = run(playground, records=2)
    assert {name: len(found) for name, found in observed.latencies.items()} == {
        **dict.fromkeys(TRIGGERS, 2),
        "available now": 1,
    }
    assert all(each >= 0 for found in observed.latencies.values() for each in found)
    assert "does not support Aggregate" in observed.continuous_with_a_count
    assert "The output mode Append is not supported" in observed.real_time_in_append_mode
