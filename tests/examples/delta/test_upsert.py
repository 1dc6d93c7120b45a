"""MERGE from a stream."""

import pytest

from examples.delta.upsert import Observed, run
from examples.playground import Playground

pytestmark = pytest.mark.spark


def test_the_newest_report_stays_and_a_batch_is_read_once_from_the_cache(
    playground: Playground,
) -> None:
    assert run(playground) == Observed(
        status={"cam0": (5, False), "cam1": (7, False), "cam2": (8, True), "cam3": (4, True)},
        reports=7,
        rows_read=18,
        rows_read_from_cache=9,
        rows_read_without_copy=32,
        without_reduction="DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE",
        # cam3 is in the first batch only: in update mode the second one leaves it out.
        changed_counts=[
            {"cam0": 2, "cam1": 2, "cam3": 1},
            {"cam0": 3, "cam1": 4, "cam2": 1},
        ],
        counts={"cam0": 3, "cam1": 4, "cam2": 1, "cam3": 1},
    )
