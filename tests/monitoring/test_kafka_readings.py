"""What the exporter reads from Kafka."""

from contextlib import closing

import pytest

from contract.kafka.sending import send_records
from contract.progress import QueryProgress
from contract.queries import Query
from contract.settings import Settings
from contract.topics import PIPELINE_PROGRESS
from monitoring.kafka_readings import read_kafka
from tests.pipeline.running.new_publisher import new_publisher

pytestmark = pytest.mark.kafka


def test_a_query_that_was_switched_off_is_not_watched(fresh_topics: str) -> None:
    publisher = new_publisher(fresh_topics)
    publisher.close([Query.STATS, Query.SIGHTINGS], {})
    for is_on, expected in ((True, {Query.STATS, Query.SIGHTINGS}), (False, {Query.STATS})):
        readings = next(read_kafka(fresh_topics, Settings(sightings=is_on).queries))
        assert set(readings.progress) == expected


def test_what_a_query_drops_is_counted_also_when_it_counts_its_batches_anew(
    fresh_topics: str,
) -> None:
    with closing(read_kafka(fresh_topics, [Query.STATS])) as readings:
        for ends in ({0: 5}, {0: 2}, {0: 2}):
            progress = QueryProgress(
                Query.STATS,
                "running",
                "2026-11-20T10:00:00Z",
                batch_id=0,
                end_offsets=ends,
                rows_dropped_by_watermark=3,
            )
            send_records(fresh_topics, PIPELINE_PROGRESS.name, [progress.encode()])
            dropped = next(readings).dropped_rows
    assert dropped == {Query.STATS: 3}, "the first read is before, and the last about no new batch"
