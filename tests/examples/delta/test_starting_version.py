"""Where a stream on a Delta table begins."""

import pytest

from examples.delta.starting_version import Observed, run
from examples.playground import Playground

pytestmark = pytest.mark.spark


def test_a_new_stream_begins_where_it_is_told_and_a_restart_does_not(
    playground: Playground,
) -> None:
    assert run(playground) == Observed(
        rows={
            "no option": 40,
            "startingVersion=2": 20,
            "startingTimestamp of version 2": 20,
            "restart, startingVersion=0": 0,
            "startingVersion=latest": 0,
            "latest, while version 4 comes": 10,
            "latest, restarted after version 4": 0,
        },
        both_options="DELTA_STARTING_VERSION_AND_TIMESTAMP_BOTH_SET",
        unknown_version="DELTA_VERSION_NOT_FOUND",
        columns_from_version_0=["device_id", "zip_code", "start_time", "is_online"],
    )
