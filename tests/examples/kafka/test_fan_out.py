"""Several queries start from one DataFrame, each on its own."""

import pytest

from examples.kafka.fan_out import Observed, run
from examples.playground import Playground

pytestmark = [pytest.mark.spark, pytest.mark.kafka]


def test_two_queries_of_one_dataframe_each_read_everything(playground: Playground) -> None:
    assert run(playground) == Observed(
        records_read=[20, 20],
        archived=50,
        archived_with_person=21,
        sent_to_the_option=21,
        sent_to_the_column=0,
    )
