"""The change feed of a table, read as a stream."""

import pytest

from examples.delta.change_feed import Observed, run
from examples.playground import Playground

pytestmark = pytest.mark.spark


def test_an_update_comes_as_two_rows_and_a_delete_as_one(playground: Playground) -> None:
    assert run(playground) == Observed(
        from_now={"insert": 2},
        from_version={"update_preimage": 1, "update_postimage": 1, "delete": 1},
        went_offline=["cam1"],
        without_feed="DELTA_MISSING_CHANGE_DATA",
    )
