"""Kafka to a landing table, on to a processed table and to counts, run twice."""

import pytest

from examples.delta.two_hops import run
from examples.playground import Playground

pytestmark = [pytest.mark.spark, pytest.mark.kafka]


def test_a_second_run_reads_only_what_is_new(playground: Playground) -> None:
    observed = run(playground)
    assert observed.landing == observed.processed == [300, 200]
    assert observed.counted == observed.sightings > 0
    before, after = observed.checkpoint_files
    assert before == after
    assert {"metadata", "offsets/0", "commits/0"} <= set(after)
    assert not observed.is_stray_file_left
    assert observed.update_mode == "DELTA_UNSUPPORTED_OUTPUT_MODE"
