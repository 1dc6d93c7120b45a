"""Several writers and a reader at the same time."""

import pytest

from examples.delta.concurrent_writers import run
from examples.playground import Playground

pytestmark = pytest.mark.spark


def test_appends_are_all_kept_and_of_two_updates_of_one_row_one_is_refused(
    playground: Playground,
) -> None:
    observed = run(playground)
    assert observed.rows == 100
    assert observed.commits == 10
    assert observed.seen == sorted(observed.seen)
    assert (observed.seen[0], observed.seen[-1]) == (10, 100)
    assert set(observed.seen) - {10, 100}, "the reader saw nothing of the time between"
    assert all(count % 10 == 0 for count in observed.seen), "half of a commit was read"
    assert observed.second_update_refused
    assert (observed.after_refusal, observed.after_retry) == (["10001"], ["20002"])
