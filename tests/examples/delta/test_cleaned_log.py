"""A stream whose next commits are gone from the log."""

import pytest

from examples.delta.cleaned_log import Observed, run
from examples.playground import Playground

pytestmark = pytest.mark.spark


def test_missing_commits_are_an_error_and_a_new_checkpoint_reads_the_whole_table(
    playground: Playground,
) -> None:
    gone = "DELTA_LOG_FILE_NOT_FOUND_FOR_STREAMING_SOURCE"
    assert run(playground) == Observed(
        commits_left=[4],
        running="DELTA_MISSING_FILES_UNEXPECTED_VERSION",
        restarted=gone,
        restarted_without_fail_on_data_loss=gone,
        from_version_1="DELTA_VERSION_NOT_FOUND",
        rows_without_fail_on_data_loss=20,
        rows_with_new_checkpoint=50,
        after_version_1="DELTA_MISSING_FILES_UNEXPECTED_VERSION",
        after_version_1_without_fail_on_data_loss="DELTA_STREAMING_TRAILING_COMMIT_MISSING",
    )
