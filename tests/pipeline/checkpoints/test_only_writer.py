"""A second pipeline that counts into the same Kafka: its lower counts would replace right ones."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from contract.errors import UserError
from contract.progress import newest_progress
from contract.settings import Settings
from pipeline.checkpoints import only_writer
from pipeline.checkpoints.only_writer import require_only_writer
from pipeline.commands import repair
from pipeline.commands.repair import repair_counts, repair_sightings
from pipeline.queries import stats
from tests.pipeline.queries.runs import Send, counted, new_settings, run_to_end, send
from tests.sample.progress import progress, send_progress

pytestmark = [pytest.mark.spark, pytest.mark.kafka]


@pytest.fixture
def settings(spark: SparkSession, bootstrap_servers: str) -> Iterator[Settings]:
    """A pipeline that has counted two sightings of an hour, and has stopped."""
    with new_settings(bootstrap_servers) as settings:
        send(bootstrap_servers, [(Send(0, start, start).value(), start) for start in (1, 2)])
        run_to_end(spark, settings, [stats])
        yield settings


def with_other_checkpoints(settings: Settings) -> Settings:
    return settings.model_copy(update={"checkpoints": f"{settings.checkpoints}-2"})


def test_a_pipeline_does_not_go_on_after_another_one_that_has_not_counted_as_far(
    spark: SparkSession, settings: Settings
) -> None:
    of_other = progress("stats", {0: 1}, query_id="of another one", state="stopped")
    send_progress(settings.bootstrap_servers, of_other)
    before = newest_progress(settings.kafka)
    with pytest.raises(UserError, match=r"since this one did, and not as far.*nest repair stats"):
        run_to_end(spark, settings, [stats])
    assert newest_progress(settings.kafka) == before, "it has published nothing"


def test_a_pipeline_goes_on_after_another_one_that_has_counted_as_far(
    spark: SparkSession, settings: Settings
) -> None:
    run_to_end(spark, settings, [stats])  # its own progress is no reason either
    other = with_other_checkpoints(settings)
    run_to_end(spark, other, [stats])
    send(settings.bootstrap_servers, [(Send(0, 3, 3).value(), 3)])
    run_to_end(spark, settings, [stats])
    run_to_end(spark, other, [stats])
    assert counted(settings.bootstrap_servers) == {("94304", 0): 3}


def test_a_deletion_that_was_cut_off_is_not_finished_on_counts_of_another_pipeline(
    spark: SparkSession, settings: Settings
) -> None:
    of_other = progress("stats", {0: 1}, query_id="of another one", state="stopped")
    send_progress(settings.bootstrap_servers, of_other)
    Path(f"{settings.checkpoints}/stats.rebuild").touch()
    with pytest.raises(UserError, match="not as far"):
        run_to_end(spark, settings, [stats])
    assert counted(settings.bootstrap_servers) == {("94304", 0): 2}


@contextmanager
def another_pipeline_reporting(settings: Settings) -> Iterator[None]:
    """Another pipeline that counts into the same Kafka while the block runs."""
    ended = threading.Event()
    of_other = progress("stats", 1, query_id="of another one")

    def report() -> None:
        while not ended.wait(0.2):
            send_progress(settings.bootstrap_servers, of_other)

    send_progress(settings.bootstrap_servers, of_other)
    reporting = threading.Thread(target=report)
    reporting.start()
    try:
        yield
    finally:
        ended.set()
        reporting.join()


@pytest.mark.parametrize("must_be_alone", [require_only_writer, repair_counts, repair_sightings])
def test_nothing_starts_or_is_deleted_while_another_pipeline_counts(
    spark: SparkSession,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    must_be_alone: Callable[..., object],
) -> None:
    monkeypatch.setattr(repair, "writing_session", lambda _: nullcontext(spark))
    needs_spark = must_be_alone is require_only_writer
    with another_pipeline_reporting(settings):
        for each in (settings, with_other_checkpoints(settings)):
            with pytest.raises(UserError, match="Another pipeline counts into nest-camera-stats"):
                must_be_alone(*(spark, each) if needs_spark else (each,))
    assert counted(settings.bootstrap_servers) == {("94304", 0): 2}


@pytest.mark.parametrize("content", [None, b"", b'{"id":'])
def test_counts_are_repaired_where_the_id_of_their_query_is_torn(
    spark: SparkSession,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    content: bytes | None,
) -> None:
    monkeypatch.setattr(repair, "writing_session", lambda _: nullcontext(spark))
    metadata = Path(f"{settings.checkpoints}/stats/metadata")
    metadata.with_name(".metadata.crc").unlink(missing_ok=True)
    if content is None:
        metadata.unlink()
    else:
        metadata.write_bytes(content)
    with pytest.raises(UserError, match=r"metadata is torn.*nest repair stats"):
        run_to_end(spark, settings, [stats])
    repair_counts(settings)
    run_to_end(spark, settings, [stats])
    assert counted(settings.bootstrap_servers) == {("94304", 0): 2}


def test_a_killed_pipeline_whose_checkpoint_is_gone_is_told_by_its_silence(
    spark: SparkSession, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(only_writer, "_REPORTS_WITHIN_S", 1.0)
    killed = replace(newest_progress(settings.kafka)["stats"], state="running")
    send_progress(settings.bootstrap_servers, killed)
    require_only_writer(spark, with_other_checkpoints(settings))
    require_only_writer(spark, settings)


def test_progress_of_an_older_version_does_not_tell_whose_it_is(
    spark: SparkSession, settings: Settings
) -> None:
    send_progress(settings.bootstrap_servers, progress("stats", 1))
    require_only_writer(spark, settings)
