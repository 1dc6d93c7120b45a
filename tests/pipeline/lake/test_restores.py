"""A table that was rolled back stops the archive until the repair, and then all is exact again."""

import pytest
from pyspark.sql import SparkSession

from check import run_check
from contract.errors import UserError
from contract.lake import CAMERA
from contract.settings import Settings
from pipeline.commands.archive_counts import recount
from pipeline.commands.complete_archive import complete_archive
from pipeline.lake.restores import restore_table
from pipeline.lake.tables import read_table
from pipeline.queries import archive
from tests.pipeline.queries.runs import (
    Send,
    counted,
    new_settings,
    rows,
    run_to_end,
    send,
)

pytestmark = [pytest.mark.spark, pytest.mark.kafka]


def recounted(
    spark: SparkSession, run: Settings, version: int | None = None
) -> dict[tuple[str, int], int]:
    counts = recount(spark, run, read_table(spark, run, CAMERA, version))
    return {(key.zip_code, key.start.hour): count for key, count in counts.items()}


def test_a_restored_table_is_refused_and_repaired(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    with new_settings(bootstrap_servers) as run:
        sends = [Send(0, 10, 11), Send(1, 70, 70), Send(2, 80, 80), Send(0, 10, 50)]
        records = [(one.value(), one.sent) for one in sends]
        send(bootstrap_servers, records, key=b"home")
        two_batches = run.model_copy(update={"max_offsets_per_trigger": 2})
        run_to_end(spark, two_batches)  # versions 1 and 2 of the table
        first = {("94304", 0): 1, ("94304", 1): 1}
        assert recounted(spark, run, 1) == first
        assert recounted(spark, run) == counted(bootstrap_servers)

        restore_table(spark, run, "camera", 1)

        assert len(rows(run, "camera")) == 2
        with pytest.raises(UserError, match=r"camera was restored .*nest repair archive"):
            archive.start(spark, run, once=True)
        assert complete_archive(spark, run) == (2, 0)
        send(bootstrap_servers, [(Send(3, 90, 90).value(), 90)])
        run_to_end(spark, run)
        # The second start has a checkpoint again, and the same RESTORE.
        run_to_end(spark, run, queries=(archive,))
        verdict = run_check(run)
        assert verdict.holds, [each for each in verdict.comparisons if not each.holds]
        assert recounted(spark, run) == counted(bootstrap_servers)
