"""Spark writes to the topic of an option or of a column, and to no compacted topic without key."""

import pytest

from examples.kafka.kafka_sink import run
from examples.playground import Playground

pytestmark = [pytest.mark.spark, pytest.mark.kafka]


def test_rows_go_to_the_topic_of_the_option_or_of_their_column(playground: Playground) -> None:
    observed = run(playground)
    assert observed.rows_by_option == observed.sent == 40
    assert observed.partitions_of_one_key == 1
    assert observed.rows_by_column == {"small": 11, "large": 29}
    assert observed.keys_without_a_key_column == [None]
    assert observed.partitions_of_one_home_without_key > 1, "the order of its rows is not lost"
    for refused in observed.compacted:
        assert "Compacted topic cannot accept message without key" in refused
    assert len(observed.compacted) == 2
    assert "topic option required" in observed.no_topic
    assert "null topic" in observed.null_topic
