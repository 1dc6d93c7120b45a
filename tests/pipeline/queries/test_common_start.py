"""All queries of nest-logs begin at one place, also one that begins days after the others."""

import pytest
from pyspark.sql import SparkSession

from contract.errors import UserError
from contract.kafka.connections import open_consumer
from contract.lake import CAMERA
from contract.settings import Settings
from pipeline.checkpoints.first_start import read_first_start
from pipeline.checkpoints.kept_settings import settings_without_effect
from pipeline.checkpoints.starting_offsets import first_offsets
from pipeline.commands.complete_archive import complete_archive, set_archive_aside
from pipeline.queries import archive, stats
from tests.fixtures.kafka import renew_topics
from tests.pipeline.queries.runs import Send, counted, new_settings, rows, run_to_end, send

pytestmark = [pytest.mark.spark, pytest.mark.kafka]


def archived(settings: Settings) -> list[str]:
    return sorted(row["device_id"] for row in rows(settings, CAMERA))


def test_what_was_counted_from_the_latest_message_on_is_archived_after_a_restart_and_a_repair(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    with new_settings(bootstrap_servers) as earliest:
        settings = earliest.model_copy(update={"starting_offsets": "latest"})
        send(bootstrap_servers, [(Send(0, 0, 0).value(), 0)])
        run_to_end(spark, settings, (stats,))  # and it stops before the archive begins
        send(bootstrap_servers, [(Send(1, 1, 1).value(), 1)])
        run_to_end(spark, settings, (stats,))
        send(bootstrap_servers, [(Send(2, 2, 2).value(), 2)])
        run_to_end(spark, settings, (stats, archive))
        assert list(settings_without_effect(spark, settings)) == []
        other = settings.model_copy(update={"starting_offsets": '{"nest-logs":{"0":1}}'})
        for changed in (other, earliest):
            assert list(settings_without_effect(spark, changed)) == [
                f"NEST_STARTING_OFFSETS={changed.starting_offsets} has no effect on a query that "
                "has a checkpoint: it goes on where it stopped."
            ]
        assert counted(bootstrap_servers) == {("94304", 0): 1, ("01002", 0): 1}
        assert archived(settings) == ["cam1", "cam2"]
        assert complete_archive(spark, settings) == (0, 0)
        set_archive_aside(spark, settings)
        assert complete_archive(spark, settings) == (2, 0)

        renew_topics(bootstrap_servers)
        assert read_first_start(spark, settings) is None
        assert read_first_start(spark, earliest) is None


def test_a_partition_that_the_topic_does_not_have_is_named(fresh_topics: str) -> None:
    with (
        open_consumer(fresh_topics) as consumer,
        pytest.raises(UserError, match=r"names partition 7, and nest-logs has .* 0, 1, 2, 3"),
    ):
        first_offsets(consumer, '{"nest-logs":{"0":1,"7":2}}')
