"""What the exporter reads from Kafka."""

import pytest
from rich.console import Console

from contract.queries import Query
from contract.settings import Settings
from monitoring.kafka_readings import read_kafka
from pipeline.running.progress_publisher import ProgressPublisher

pytestmark = pytest.mark.kafka


def test_a_query_that_was_switched_off_is_not_watched(fresh_topics: str) -> None:
    publisher = ProgressPublisher(fresh_topics, Console(quiet=True))
    publisher.close([Query.STATS, Query.SIGHTINGS], {})
    for is_on, expected in ((True, {Query.STATS, Query.SIGHTINGS}), (False, {Query.STATS})):
        readings = next(read_kafka(fresh_topics, Settings(sightings=is_on).queries))
        assert set(readings.progress) == expected
