"""A batch that was written and not committed is repeated, and must not be there twice."""

import pytest

from examples.kafka.stop_and_go import Observed, run
from examples.playground import Playground

pytestmark = [pytest.mark.spark, pytest.mark.kafka]


def test_a_repeated_batch_is_written_once(playground: Playground) -> None:
    assert run(playground) == Observed(
        at_the_stop=20,
        missing=[],
        twice=[],
        missing_plain=[],
        twice_plain=list(range(10, 20)),
        repeated_by_sink=[3],
        missing_in_sink=[],
        twice_in_sink=[],
    )
