"""A query that writes to a topic goes on only with the topic that has what it has written."""

import json
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from contract.errors import UserError
from contract.kafka.bounded_read import records_in_topic
from contract.kafka.connections import open_consumer
from contract.queries import Query
from contract.settings import Settings
from contract.topics import CAMERA_ALERTS, CAMERA_STATS, PIPELINE_PROGRESS, SIGHTINGS
from pipeline.commands.delete_camera_status import delete_alert_checkpoint
from pipeline.commands.delete_counts import delete_counts, delete_sightings
from tests.fixtures.kafka import renew_topics
from tests.pipeline.queries.runs import Send, counted, run_to_end, send

pytestmark = [pytest.mark.spark, pytest.mark.kafka]

REPAIRS = {
    Query.STATS: (CAMERA_STATS, delete_counts),
    Query.SIGHTINGS: (SIGHTINGS, delete_sightings),
    Query.ALERTS: (CAMERA_ALERTS, delete_alert_checkpoint),
}


def count_records(settings: Settings, topic: str) -> int:
    with open_consumer(settings.kafka) as consumer:
        return len(list(records_in_topic(consumer, topic)))


def count_reports_of_archive(settings: Settings) -> int:
    with open_consumer(settings.kafka) as consumer:
        records = list(records_in_topic(consumer, PIPELINE_PROGRESS.name))
    return sum(record.key == Query.ARCHIVE.encode() for record in records)


def test_an_output_topic_that_was_created_again_is_refused_until_a_repair(
    spark: SparkSession, settings: Settings
) -> None:
    offline = Send(0, 0, 0).value().replace(b'"device_id"', b'"is_online":false,"device_id"')
    settings = settings.model_copy(update={"sightings": True})
    send(settings.bootstrap_servers, [(offline, 0)])
    run_to_end(spark, settings, None)
    before = {topic.name: count_records(settings, topic.name) for topic, _ in REPAIRS.values()}
    counts = counted(settings.bootstrap_servers)
    assert all(before.values())
    for query, (topic, repair) in REPAIRS.items():
        renew_topics(settings.bootstrap_servers, topic)
        words = rf"{topic.name} .* created again.*`nest repair {query}`"
        reports = count_reports_of_archive(settings)
        with pytest.raises(UserError, match=words):
            run_to_end(spark, settings, None)
        assert count_reports_of_archive(settings) == reports, (
            "it is refused before another query starts"
        )
        repair(spark, settings)
        run_to_end(spark, settings, None)
        run_to_end(spark, settings, None)
    assert {topic: count_records(settings, topic) for topic in before} == before
    assert counted(settings.bootstrap_servers) == counts


def test_a_pipeline_that_may_lose_data_goes_on_with_a_new_output_topic(
    spark: SparkSession, settings: Settings
) -> None:
    send(settings.bootstrap_servers, [(Send(0, 0, 0).value(), 0)])
    run_to_end(spark, settings)
    renew_topics(settings.bootstrap_servers, CAMERA_STATS)
    run_to_end(spark, settings.model_copy(update={"fail_on_data_loss": False}))
    run_to_end(spark, settings)
    assert not counted(settings.bootstrap_servers)


def test_a_checkpoint_of_another_version_goes_on_and_keeps_the_topic_from_then_on(
    spark: SparkSession, settings: Settings
) -> None:
    send(settings.bootstrap_servers, [(Send(0, 0, 0).value(), 0)])
    run_to_end(spark, settings)
    origin = Path(settings.checkpoints) / "stats.origin"
    kept = json.loads(origin.read_text())
    topic_id = kept.pop("output_topic_id")
    origin.write_text(json.dumps(kept | {"of_a_later_version": 1}))
    (origin.parent / ".stats.origin.crc").unlink()
    run_to_end(spark, settings)
    assert json.loads(origin.read_text())["output_topic_id"] == topic_id
