"""A start that may not finish a deletion that was cut off says who may."""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from contract.errors import UserError
from contract.kafka.acls import PIPELINE
from contract.kafka.refusals import Refused, not_allowed
from contract.settings import Settings
from pipeline.commands import delete_counts
from pipeline.commands.delete_counts import finish_deleting_counts
from tests.fixtures.errors import raising

pytestmark = pytest.mark.spark


@pytest.mark.parametrize(
    ("refused", "says"),
    [
        (not_allowed(PIPELINE, "Delete", "the topic nest-sightings"), "cut off.*repair stats"),
        (Refused("Kafka does not let the user pipeline in."), "does not let"),
    ],
)
def test_a_start_that_may_not_finish_a_deletion_sends_to_the_operator(
    spark: SparkSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    refused: Refused,
    says: str,
) -> None:
    settings = Settings(checkpoints=str(tmp_path))
    monkeypatch.setattr(delete_counts, "require_rights", raising(refused))
    finish_deleting_counts(spark, settings)  # nothing was cut off
    (tmp_path / "stats.rebuild").touch()
    with pytest.raises(UserError, match=says) as raised:
        finish_deleting_counts(spark, settings)
    assert "this right" not in str(raised.value)
    assert (tmp_path / "stats.rebuild").exists()
