"""startingOffsets decides where a new query begins; a restart ignores it."""

import pytest

from examples.kafka.starting_offsets import Observed, run
from examples.playground import Playground

pytestmark = [pytest.mark.spark, pytest.mark.kafka]


def test_the_option_places_a_new_query_and_a_restart_ignores_it(playground: Playground) -> None:
    assert run(playground) == Observed(
        earliest=[0, 1, 2, 3], latest=[], json=[2, 3], restarted=[4, 5]
    )
