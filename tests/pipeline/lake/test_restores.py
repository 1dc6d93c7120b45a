"""A table that was rolled back stops the archive until the repair, and then all is exact again."""

from collections.abc import Mapping

import pytest
import typer
from pyspark.sql import SparkSession

from check import run_check
from contract.errors import UserError
from contract.lake import CAMERA
from contract.settings import Settings
from contract.stats import StatsKey
from demo.commands.report import counts_as_of
from demo.commands.restore import restore
from pipeline.commands.archive_counts import recount
from pipeline.commands.complete_archive import complete_archive
from pipeline.commands.restore_table import restore_table
from pipeline.lake.tables import read_table
from pipeline.queries import archive
from tests.pipeline.queries.runs import Send, counted, new_settings, rows, run_to_end, send

pytestmark = [pytest.mark.spark, pytest.mark.kafka]


def recounted(
    spark: SparkSession, settings: Settings, version: int | None = None
) -> dict[tuple[str, int], int]:
    return by_hour(recount(spark, settings, read_table(spark, settings, CAMERA, version)))


def by_hour(counts: Mapping[StatsKey, int]) -> dict[tuple[str, int], int]:
    return {(key.zip_code, key.start.hour): count for key, count in counts.items()}


def test_a_restored_table_is_refused_and_repaired(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    with new_settings(bootstrap_servers) as settings:
        sends = [Send(0, 10, 11), Send(1, 70, 70), Send(2, 80, 80), Send(0, 10, 50)]
        records = [(one.value(), one.sent) for one in sends]
        send(bootstrap_servers, records, key=b"home")
        two_batches = settings.model_copy(update={"max_offsets_per_trigger": 2})
        run_to_end(spark, two_batches)  # versions 1 and 2 of the table
        first = {("94304", 0): 1, ("94304", 1): 1}
        assert recounted(spark, settings, 1) == first
        assert recounted(spark, settings) == counted(bootstrap_servers)

        restore_table(spark, settings, "camera", 1)

        assert len(rows(settings, "camera")) == 2
        with pytest.raises(UserError, match=r"camera was restored .*nest repair archive"):
            archive.start(spark, settings, once=True)
        assert complete_archive(spark, settings) == (2, 0)
        send(bootstrap_servers, [(Send(3, 90, 90).value(), 90)])
        run_to_end(spark, settings)
        # The second start has a checkpoint again, and the same RESTORE.
        run_to_end(spark, settings, queries=(archive,))
        verdict = run_check(settings)
        assert verdict.holds, [each for each in verdict.comparisons if not each.holds]
        assert recounted(spark, settings) == counted(bootstrap_servers)


def test_the_commands_restore_after_a_yes_and_count_any_version(
    spark: SparkSession, bootstrap_servers: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A command ends with its session; here the other tests go on with it.
    monkeypatch.setattr("pipeline.spark.reading_session.stop_session", lambda _: None)
    said: list[str] = []
    asked: list[str] = []

    def answer(*, yes: bool, version: int = 1) -> None:
        def confirm(question: str) -> None:
            asked.append(question)
            if not yes:
                raise typer.Exit(1)

        restore(settings, CAMERA, version, confirm, said.append)

    with new_settings(bootstrap_servers) as settings:
        send(bootstrap_servers, [(one.value(), one.sent) for one in (Send(0, 10, 11),)])
        run_to_end(spark, settings)  # version 1 of the table
        then = counted(bootstrap_servers)
        send(bootstrap_servers, [(Send(1, 70, 70).value(), 70)])
        run_to_end(spark, settings)  # version 2
        now = counted(bootstrap_servers)
        assert then != now

        with pytest.raises(UserError, match="Version 2 is the newest of camera"):
            answer(yes=True, version=2)
        with pytest.raises(UserError, match="camera has no version 9"):
            answer(yes=True, version=9)
        assert not asked
        with pytest.raises(typer.Exit):
            answer(yes=False)
        assert asked == ["Make camera what it was at version 1 (now 2)?"]
        assert not said
        assert len(rows(settings, CAMERA)) == 2

        answer(yes=True)

        assert said[0] == "The table camera is at version 1 again, as a new version."
        assert "`nest repair archive`" in said[1]
        assert len(rows(settings, CAMERA)) == 1
        for version, expected in (("1", then), ("2", now), ("3", then)):
            assert by_hour(counts_as_of(settings, version)) == expected
