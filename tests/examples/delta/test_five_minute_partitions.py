"""Partitions that INSERT OVERWRITE merges, beside a Delta table that OPTIMIZE merges."""

import pytest

from examples.delta.five_minute_partitions import Observed, WriteMethod, run
from examples.playground import Playground

pytestmark = pytest.mark.spark


def test_merging_by_insert_overwrite_loses_readers_and_late_rows_and_optimize_neither(
    playground: Playground,
) -> None:
    assert run(playground) == Observed(
        overwriting=WriteMethod(
            rows_after_rerun=6,
            files=6,
            files_merged=1,
            reader="FAILED_READ_FILE.FILE_NOT_EXIST",
            is_late_row_kept=False,
        ),
        appending=WriteMethod(
            rows_after_rerun=5, files=5, files_merged=1, reader=None, is_late_row_kept=True
        ),
        plain_rerun=10,
    )
