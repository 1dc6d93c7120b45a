"""A stateful stream that starts on a table whose files are not in order of time."""

import pytest

from examples.delta.event_time_order import Observed, run
from examples.playground import Playground

pytestmark = pytest.mark.spark


def test_rows_are_lost_file_by_file_and_not_in_one_batch_or_in_order(
    playground: Playground,
) -> None:
    assert run(playground) == Observed(
        sightings=120,
        # A Delta that knows withEventTimeOrder would lose none: then its text has to change.
        lost={"file by file": 30, "withEventTimeOrder": 30, "one batch": 0, "ordered copy": 0},
    )
