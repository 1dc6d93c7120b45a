"""What a query reads is named by a list, a pattern, or partitions."""

import pytest

from examples.kafka.subscribing import run
from examples.playground import Playground

pytestmark = [pytest.mark.spark, pytest.mark.kafka]


def test_each_way_reads_the_partitions_that_it_names(playground: Playground) -> None:
    observed = run(playground)
    all_four = ["homes-east-0", "homes-east-1", "homes-west-0", "homes-west-1"]
    assert observed.by_list == all_four
    assert observed.by_pattern == all_four
    assert observed.by_partition == ["homes-east-1", "homes-west-0"]
    assert observed.new_to_the_pattern == ["homes-north-0", "homes-north-1"]
    assert "Only one of the following options" in observed.two_at_once
