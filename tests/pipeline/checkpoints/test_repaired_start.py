"""Where the archive begins after a repair, and that this does not outlive the checkpoint's word."""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from contract.settings import Settings
from pipeline.checkpoints.repaired_start import begin_where_repaired, keep_start

pytestmark = pytest.mark.spark

KEPT = '{"nest-logs": {"0": 7}}'


@pytest.fixture
def settings(spark: SparkSession, tmp_path: Path) -> Settings:
    """The settings of an archive that was repaired."""
    settings = Settings(checkpoints=str(tmp_path))
    keep_start(spark, settings, KEPT)
    return settings


@pytest.mark.parametrize("has_begun", [False, True])
def test_a_query_without_a_batch_begins_after_the_repair(
    spark: SparkSession, settings: Settings, has_begun: bool
) -> None:
    if has_begun:  # and was killed before it planned a batch
        add_to_checkpoint(settings, "metadata", '{"id": "eb848148-dd83-4e5f-9b4c-1b0591b1f2a4"}')
    for _start in range(2):
        assert begin_where_repaired(spark, settings).starting_offsets == KEPT


def test_a_checkpoint_with_a_batch_outweighs_the_repair_and_ends_it(
    spark: SparkSession, settings: Settings
) -> None:
    add_to_checkpoint(settings, "metadata", '{"id": "eb848148-dd83-4e5f-9b4c-1b0591b1f2a4"}')
    add_to_checkpoint(settings, "offsets/0", 'v1\n{"batchWatermarkMs":0}\n{"nest-logs":{"0":9}}')
    assert begin_where_repaired(spark, settings) == settings
    assert not list(Path(settings.checkpoints).glob("archive.starting_offsets"))


def add_to_checkpoint(settings: Settings, name: str, text: str) -> None:
    path = Path(settings.checkpoints) / "archive" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
