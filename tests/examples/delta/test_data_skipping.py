"""What a filtered read touches."""

import pytest

from examples.delta.data_skipping import run
from examples.playground import Playground

pytestmark = pytest.mark.spark


def test_clustering_lets_a_filter_touch_fewer_files(playground: Playground) -> None:
    observed = run(playground)
    assert observed.before_filtered == observed.before
    assert observed.after_filtered.files < observed.after.files
    assert observed.after_filtered.bytes < observed.before_filtered.bytes / 2
    assert observed.rows_found[0] == observed.rows_found[1] > 0
    assert observed.json_bytes > 5 * observed.before.bytes
