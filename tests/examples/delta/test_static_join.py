"""A stream joined with a Delta table that changes."""

import pytest

from examples.delta.static_join import Observed, run
from examples.playground import Playground

pytestmark = pytest.mark.spark


def test_the_next_batch_sees_the_new_row_unless_the_table_is_held_or_pinned(
    playground: Playground,
) -> None:
    assert run(playground) == Observed(
        {
            "newest": ["unknown", "94304"],
            "in memory": ["unknown", "unknown"],
            "version 0": ["unknown", "unknown"],
        }
    )
