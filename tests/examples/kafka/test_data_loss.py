"""failOnDataLoss decides whether a query goes on over records that are gone."""

import pytest

from examples.kafka.data_loss import run
from examples.playground import Playground

pytestmark = [pytest.mark.spark, pytest.mark.kafka]


def test_a_query_stops_at_lost_records_or_goes_on_without_them(playground: Playground) -> None:
    observed = run(playground)
    assert "Could not read records in offset [2, 6)" in observed.aged_out_true
    assert observed.aged_out_false == [4, 5]
    assert "offset was changed from 4 to 1" in observed.shorter_true
    assert observed.shorter_false == [], "it was to lose what was in the new topic at its start"
    assert observed.shorter_false_later == [3]
    assert observed.longer_true == [4, 5], "Spark has noticed that the topic is another one"
