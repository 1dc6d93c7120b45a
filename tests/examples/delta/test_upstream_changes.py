"""What a stream does when its source is updated and deleted from."""

import pytest

from examples.delta.upstream_changes import Observed, run
from examples.playground import Playground

pytestmark = pytest.mark.spark


def test_each_option_passes_what_its_name_says(playground: Playground) -> None:
    delete, update = "DELTA_SOURCE_IGNORE_DELETE", "DELTA_SOURCE_TABLE_IGNORE_CHANGES"
    assert run(playground) == Observed(
        after_delete=(None, 6),
        stopped_by={
            "none": delete,
            "ignoreDeletes": update,
            "skipChangeCommits": None,
            "ignoreChanges": None,
        },
        # Six rows and the appended one; ignoreChanges gives the three of the rewritten file again.
        rows={"none": 0, "ignoreDeletes": 0, "skipChangeCommits": 7, "ignoreChanges": 10},
        table=4,
        started_over=4,
    )
