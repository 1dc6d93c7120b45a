"""A table as it was, and restored."""

import pytest

from examples.delta.time_travel import Observed, run
from examples.playground import Playground

pytestmark = pytest.mark.spark


def test_old_versions_can_be_read_and_restored_and_a_restore_taken_back(
    playground: Playground,
) -> None:
    assert run(playground) == Observed(
        now=30,
        by_version=0,
        by_timestamp=0,
        restored=0,
        taken_back=30,
        operations=["WRITE", "WRITE", "UPDATE", "RESTORE", "RESTORE"],
        future_version="DELTA_VERSION_NOT_FOUND",
        future_timestamp="DELTA_TIMESTAMP_GREATER_THAN_COMMIT",
        too_old_version=("DELTA_UNSUPPORTED_TIME_TRAVEL_BEYOND_DELETED_FILE_RETENTION_DURATION"),
    )
