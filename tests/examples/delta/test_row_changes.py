"""Rows changed in place, files merged and removed."""

import pytest

from examples.delta.row_changes import run
from examples.playground import Playground

pytestmark = pytest.mark.spark


def test_optimize_and_vacuum_change_files_and_not_rows(playground: Playground) -> None:
    observed = run(playground)
    merged = {"10001": 4, "20002": 16, "94304": 17}
    assert list(observed.rows.values()) == [
        {"94304": 40},
        {"94304": 35, "10001": 5},
        {"94304": 26, "10001": 4},
        merged,
        merged,
        merged,
        merged,
    ]
    assert observed.files["append, four times"] == 4
    assert observed.files["OPTIMIZE"] == 1
    assert observed.on_disk["VACUUM after 7 days"] == observed.on_disk["OPTIMIZE"] > 5
    assert observed.on_disk["VACUUM after 0 seconds"] == 1
    assert observed.short_vacuum == "DELTA_VACUUM_RETENTION_PERIOD_TOO_SHORT"
    assert observed.is_day_old_file_left
    assert observed.old_version == "FAILED_READ_FILE.FILE_NOT_EXIST"
    # A deleted row stays in its file until REORG and VACUUM, whatever OPTIMIZE does.
    assert observed.rows_in_files == {
        "DELETE": [40],
        "OPTIMIZE": [40],
        "REORG": [39, 40],
        "VACUUM": [39],
    }
