"""Where the archive begins after a repair, and that this does not outlive the checkpoint's word."""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from contract.settings import Settings
from pipeline.checkpoints.repaired_start import (
    keep_repaired_start,
    repaired_start_of_new_checkpoint,
)
from tests.pipeline.checkpoints.checkpoint_on_disk import METADATA, PLANNED, write

pytestmark = pytest.mark.spark

KEPT = '{"nest-logs": {"0": 7}}'


@pytest.fixture
def settings(spark: SparkSession, tmp_path: Path) -> Settings:
    """The settings of an archive that was repaired."""
    settings = Settings(checkpoints=str(tmp_path))
    keep_repaired_start(spark, settings, KEPT)
    return settings


@pytest.fixture
def checkpoint(settings: Settings) -> Path:
    """Where the archive's checkpoint is."""
    return Path(settings.checkpoints) / "archive"


@pytest.mark.parametrize("has_begun", [False, True])
def test_a_query_without_a_batch_begins_after_the_repair(
    spark: SparkSession, settings: Settings, checkpoint: Path, has_begun: bool
) -> None:
    if has_begun:  # and was killed before it planned a batch
        write(checkpoint / "metadata", METADATA)
    for _start in range(2):
        assert repaired_start_of_new_checkpoint(spark, settings) == KEPT


def test_a_checkpoint_with_a_batch_outweighs_the_repair_and_ends_it(
    spark: SparkSession, settings: Settings, checkpoint: Path
) -> None:
    write(checkpoint / "metadata", METADATA)
    write(checkpoint / "offsets" / "0", PLANNED)
    assert repaired_start_of_new_checkpoint(spark, settings) is None
    assert not list(Path(settings.checkpoints).glob("archive.starting_offsets"))
