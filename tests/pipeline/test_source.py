"""How much a batch reads at most, and when a batch of a live query is worth its cost."""

from datetime import timedelta
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from contract.settings import Settings, load_settings
from pipeline import source
from pipeline.source import MinimumBatch, stream_records
from tests.pipeline.queries.runs import send

_SECOND = timedelta(seconds=1)


def test_few_records_wait_until_the_last_trigger_within_the_delay() -> None:
    assert MinimumBatch(50, 3 * _SECOND, _SECOND).options() == {
        "minOffsetsPerTrigger": "50",
        "maxTriggerDelay": "2500ms",
    }


def test_the_users_own_kafka_options_hold_for_each_reader() -> None:
    settings = Settings(kafka_options='{"fetch.max.wait.ms": 7}')
    for options in (source._common_options(settings), source._common_options(settings, 500)):
        assert options["kafka.fetch.max.wait.ms"] == "7"
    assert source._common_options(Settings(), 500)["kafka.fetch.max.wait.ms"] == 500


def test_no_record_waits_where_the_delay_is_no_longer_than_a_trigger() -> None:
    assert MinimumBatch(50, _SECOND / 2, _SECOND).options() == {}


def test_a_batch_waits_for_no_more_records_than_it_may_have() -> None:
    """Spark refuses a minimum above the maximum."""
    options = MinimumBatch(50, 3 * _SECOND, _SECOND).options(max_records=10)
    assert options["minOffsetsPerTrigger"] == "10"


@pytest.mark.spark
@pytest.mark.kafka
def test_no_batch_reads_more_records_than_the_setting_allows(
    spark: SparkSession, fresh_topics: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEST_BOOTSTRAP_SERVERS", fresh_topics)
    monkeypatch.setenv("NEST_MAX_OFFSETS_PER_TRIGGER", "4")
    send(fresh_topics, [(b"{}", minute) for minute in range(10)], key=b"home")
    query = (
        stream_records(spark, load_settings(), records_per_task=100)
        .writeStream.format("noop")
        .option("checkpointLocation", str(tmp_path))
        .trigger(availableNow=True)
        .start()
    )
    assert query.awaitTermination(120)
    assert [progress.numInputRows for progress in query.recentProgress] == [4, 4, 2]
