"""A batch that is written to two tables and run again."""

import pytest

from examples.delta.idempotent_writes import Observed, run
from examples.playground import Playground

pytestmark = pytest.mark.spark


def test_a_repeated_batch_is_skipped_and_so_is_a_new_one_under_an_old_id(
    playground: Playground,
) -> None:
    assert run(playground) == Observed(
        plain=(20, 10),
        idempotent=(10, 10),
        new_checkpoint=(10, 10),
        new_checkpoint_and_app_id=(20, 20),
        one_stream_each=(0, 20),
        one_stream_each_again=(20, 20),
    )
