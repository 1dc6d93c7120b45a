"""The counts on real Kafka: through restarts, as stream and batch, rebuilt with other locations."""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from contract.bounded_read import read_topic
from contract.connections import open_consumer
from contract.errors import UserError
from contract.topics import CAMERA_STATS
from pipeline.app import delete_counts
from pipeline.locations import read_locations
from pipeline.queries import stats
from pipeline.queries.stats import camera_stats
from pipeline.session import STATE_STORES
from pipeline.source import read_records
from tests.pipeline.queries.runs import (
    ONCE,
    Send,
    counted,
    expected_counts,
    new_settings,
    run_to_end,
    send,
)

pytestmark = [pytest.mark.spark, pytest.mark.kafka]


def test_the_counts_are_the_same_with_rocksdb_and_through_a_restart(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    sends = [Send(c, m, m + delay) for m in range(150) for c in range(4) for delay in (0, 7)]
    provider = "spark.sql.streaming.stateStore.providerClass"
    before = spark.conf.get(provider)
    spark.conf.set(provider, STATE_STORES["rocksdb"])
    try:
        with new_settings(bootstrap_servers) as run:
            for part in (sends[:800], sends[600:]):
                send(bootstrap_servers, [(one.value(), one.sent) for one in part])
                run_to_end(spark, run)
            assert counted(bootstrap_servers) == expected_counts(sends)
            state = Path(run.checkpoints) / stats.NAME / "state"
            assert list(state.rglob("*.changelog"))
    finally:
        spark.conf.set(provider, before)


def test_a_batch_gives_the_records_that_the_stream_wrote(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    with new_settings(bootstrap_servers) as run:
        send(bootstrap_servers, [(Send(c, m, m).value(), m) for c in range(4) for m in range(150)])
        run_to_end(spark, run)
        locations = read_locations(spark, run.device_locations)
        batch = camera_stats(read_records(spark, run), locations, run).collect()
        with open_consumer(bootstrap_servers) as consumer:
            stream = {
                record.key.decode(): record.value.decode()
                for record in read_topic(consumer, CAMERA_STATS.name)
            }
        assert {row["key"]: row["value"] for row in batch} == stream
        assert len(batch) == len(stream) == 9  # three zip codes, three hours


def test_a_start_with_other_locations_is_refused_and_the_counts_can_be_rebuilt(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    with new_settings(bootstrap_servers) as run:
        send(bootstrap_servers, [(Send(c, 10, 10).value(), 10) for c in range(4)])
        run_to_end(spark, run)
        moved = Path(run.device_locations).with_name("moved.csv")
        moved.write_text("device_id,zip_code\ncam0,10001\ncam1,10001\ncam2,10001\ncam3,10001\n")
        elsewhere = run.model_copy(update={"device_locations": str(moved)})
        with pytest.raises(UserError, match="--rebuild-counts"):
            stats.start(spark, elsewhere, ONCE)
        delete_counts(spark, elsewhere)
        run_to_end(spark, elsewhere)
        assert counted(bootstrap_servers) == {("10001", 0): 4}
