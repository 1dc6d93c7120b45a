"""Partitions that are overwritten, beside a Delta table that is appended to."""

import pytest

from examples.delta.five_minute_partitions import Observed, WriteMethod, run
from examples.playground import Playground

pytestmark = pytest.mark.spark


def test_overwriting_loses_late_rows_and_readers_and_appending_neither(
    playground: Playground,
) -> None:
    assert run(playground) == Observed(
        overwriting=WriteMethod(
            rows_written=15,
            reader="FAILED_READ_FILE.FILE_NOT_EXIST",
            rows_after_rerun=5,
            rows_after_late=2,
            files=2,
        ),
        appending=WriteMethod(
            rows_written=5, reader=None, rows_after_rerun=5, rows_after_late=7, files=1
        ),
        plain_rerun=10,
    )
