"""A batch ingest and a streaming one have the same rows, until Kafka deletes records."""

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from examples.kafka.batch_ingest import run
from examples.playground import Playground
from tests.fixtures.spark import ROW_CODE_SETTING

pytestmark = [pytest.mark.spark, pytest.mark.kafka]


@pytest.fixture
def generated_row_code(spark: SparkSession) -> Iterator[None]:
    """Let Spark generate code for rows, as for users: without it Spark cannot list its tables."""
    before = spark.conf.get(ROW_CODE_SETTING)
    spark.conf.set(ROW_CODE_SETTING, "FALLBACK")
    yield
    spark.conf.set(ROW_CODE_SETTING, before)


@pytest.mark.usefixtures("generated_row_code")
def test_a_batch_that_overwrites_and_a_stream_that_appends_end_with_the_same_rows(
    playground: Playground,
) -> None:
    observed = run(playground)
    assert observed.read_by_batch[:2] == [10, 15]
    assert observed.read_by_stream == [10, 5]
    assert observed.rows_of_batch == observed.rows_of_stream == 37
    assert observed.same_rows
    assert len(observed.versions_of_batch) == 3
    assert observed.tables == ["camera_by_batch", "camera_by_range", "camera_by_stream"]
    # Six records deleted in Kafka: the batch has lost their rows, the two that append have not.
    assert observed.read_by_batch[2:] == [9]
    assert observed.rows_of_batch_later == 21
    assert observed.rows_of_stream_later == observed.rows_of_ranges_later == 37
