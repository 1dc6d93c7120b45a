"""A stream on a Delta table reads as many files a batch as it is told."""

import pytest

from examples.delta.source_limits import run
from examples.playground import Playground

pytestmark = pytest.mark.spark


def test_files_are_read_within_the_limits_and_the_backlog_shrinks(playground: Playground) -> None:
    observed = run(playground)
    assert observed.by_files == [200, 200, 200]
    assert observed.by_bytes == [100] * 6
    assert observed.reported_metrics == {}
    assert [left.files for left in observed.backlog] == [4, 2, 0]
    assert {left.newest_version for left in observed.backlog} == {5}
    first, second, last = (left.bytes for left in observed.backlog)
    assert first > second > last == 0
    # OPTIMIZE has written a file, of which the stream reads nothing: it is not outstanding.
    assert (observed.optimized.files, observed.optimized.newest_version) == (0, 6)
    assert (observed.appended.files, observed.appended.newest_version) == (2, 7)
    assert len(observed.by_bytes_later) == 2
    assert sum(observed.by_bytes_later) == 200
    assert [left.files for left in observed.backlog_later] == [1, 0]
    assert observed.appended.bytes > observed.backlog_later[0].bytes > 0
