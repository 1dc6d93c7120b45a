"""Columns that do not fit, and one that is let in."""

import pytest

from examples.delta.schema_evolution import Observed, run
from examples.playground import Playground

pytestmark = pytest.mark.spark


def test_a_new_column_is_refused_until_it_is_asked_for_and_stops_a_stream_once(
    playground: Playground,
) -> None:
    assert run(playground) == Observed(
        new_column="DELTA_METADATA_MISMATCH",
        wrong_type="DELTA_FAILED_TO_MERGE_FIELDS",
        rows_after_refusals=2,
        names=[None, None, "Front door"],
        stream_stopped_by="DELTA_SCHEMA_CHANGED_WITH_VERSION",
        copied_columns=["device_id", "zip_code", "start_time", "name_long"],
        copied_rows=3,
    )
