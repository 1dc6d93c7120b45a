"""MERGE from a stream."""

import pytest

from examples.delta.upsert import Observed, run
from examples.playground import Playground

pytestmark = pytest.mark.spark


def test_the_newest_report_stays_and_a_batch_is_read_once_from_the_cache(
    playground: Playground,
) -> None:
    assert run(playground) == Observed(
        status={"cam0": (5, False), "cam1": (7, False), "cam2": (8, True)},
        reports=6,
        rows_read=16,
        rows_read_from_cache=8,
        without_reduction="DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE",
    )
