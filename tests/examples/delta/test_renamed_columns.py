"""A stream whose source renames and drops columns."""

import pytest

from examples.delta.renamed_columns import Observed, run
from examples.playground import Playground

pytestmark = pytest.mark.spark


def test_the_tracked_stream_stops_at_each_change_and_goes_on_when_it_is_allowed(
    playground: Playground,
) -> None:
    assert run(playground) == Observed(
        untracked="DELTA_STREAMING_INCOMPATIBLE_SCHEMA_CHANGE_USE_SCHEMA_LOG",
        starts=[
            None,
            "DELTA_STREAMING_METADATA_EVOLUTION",
            "DELTA_STREAMING_CANNOT_CONTINUE_PROCESSING_POST_SCHEMA_EVOLUTION",
            "DELTA_STREAMING_METADATA_EVOLUTION",
            None,
        ],
        columns=[["camera_id", "zip_code", "start_time"], ["camera_id", "start_time"]],
    )
