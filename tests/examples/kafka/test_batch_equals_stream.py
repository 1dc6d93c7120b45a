"""A batch over a range of offsets gives what the stream gave of it."""

import pytest

from examples.kafka.batch_equals_stream import run
from examples.playground import Playground

pytestmark = [pytest.mark.spark, pytest.mark.kafka]


def test_a_batch_over_the_same_offsets_gives_the_streams_rows_and_counts(
    fresh_topics: str, playground: Playground
) -> None:
    observed = run(playground)
    assert len(observed.events_of_stream) == 53
    assert observed.events_of_batch == observed.events_of_stream
    assert sum(map(int, observed.counts_of_stream.values())) > 40
    assert observed.counts_of_batch == observed.counts_of_stream
