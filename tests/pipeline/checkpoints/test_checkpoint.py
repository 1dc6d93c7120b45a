"""A file of a checkpoint that Spark reads at a start, and that is torn or gone, is named."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from py4j.protocol import Py4JJavaError
from pyspark.sql import SparkSession

from contract.errors import UserError
from contract.queries import Query
from contract.settings import Settings
from pipeline.checkpoints.checkpoint import Batches, Checkpoint
from pipeline.checkpoints.origin import read_origin
from pipeline.checkpoints.repaired_start import read_repaired_start
from pipeline.lake.commits import commits
from pipeline.lake.damaged_tables import require_readable
from pipeline.spark.java_classes import java_class
from pipeline.spark.storage import Storage
from tests.pipeline.checkpoints.checkpoint_on_disk import METADATA, PLANNED, write

pytestmark = pytest.mark.spark

EMPTY_TABLE = """\
{"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}}
{"metaData": {"id": "t", "format": {"provider": "parquet", "options": {}}, "configuration": {}, \
"schemaString": "{\\"type\\": \\"struct\\", \\"fields\\": []}", "partitionColumns": []}}
"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """The settings of a checkpoint of the counts, with three batches; the last is under way."""
    stats = tmp_path / "stats"
    for batch in range(3):
        write(stats / "offsets" / str(batch), PLANNED)
    for batch in range(2):
        write(stats / "commits" / str(batch), 'v1\n{"nextBatchWatermarkMs":0}')
    write(stats / "state" / "0" / "1.delta", "state")
    write(stats / "metadata", METADATA)
    return Settings(checkpoints=str(tmp_path))


def folder(settings: Settings) -> Path:
    return Path(settings.checkpoints) / "stats"


def test_the_newest_batches_of_a_whole_checkpoint(spark: SparkSession, settings: Settings) -> None:
    Checkpoint(spark, settings, Query.STATS).clear_unplanned()
    assert Checkpoint(spark, settings, Query.STATS).has_begun()
    assert Checkpoint(spark, settings, Query.STATS).newest_batches() == Batches(2, 1)
    (folder(settings) / "offsets" / "0").unlink()  # Spark keeps the newest only
    assert Checkpoint(spark, settings, Query.STATS).newest_batches() == Batches(2, 1)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("offsets/1", ""),
        ("offsets/1", None),
        ("offsets/2", PLANNED[:-2]),
        ("offsets/2", PLANNED.rpartition("\n")[0]),
        ("commits/1", "v1\n"),
        ("commits/1", ""),
        ("metadata", '{"id"'),
    ],
)
def test_a_file_that_spark_reads_at_the_start_is_named(
    spark: SparkSession, settings: Settings, file: str, text: str | None
) -> None:
    path = folder(settings) / file
    path.unlink() if text is None else path.write_text(text)
    with pytest.raises(UserError, match=f"{file} is torn.*nest repair stats"):
        Checkpoint(spark, settings, Query.STATS).newest_batches()


@pytest.mark.parametrize("lost", [[], ["offsets"], ["commits"]])
def test_a_query_with_batches_whose_id_is_gone_does_not_begin_anew(
    spark: SparkSession, settings: Settings, lost: list[str]
) -> None:
    (folder(settings) / "metadata").unlink()
    for log in lost:
        shutil.rmtree(folder(settings) / log)
    with pytest.raises(UserError, match=r"metadata is torn.*nest repair stats"):
        Checkpoint(spark, settings, Query.STATS).has_begun()


def test_what_committed_batches_have_left_is_not_deleted(
    spark: SparkSession, settings: Settings
) -> None:
    shutil.rmtree(folder(settings) / "offsets")
    with pytest.raises(UserError, match=r"offsets/1 is torn.*nest repair stats"):
        Checkpoint(spark, settings, Query.STATS).clear_unplanned()
    assert (folder(settings) / "state" / "0" / "1.delta").exists()


def test_what_a_kill_before_the_first_batch_has_left_is_deleted(
    spark: SparkSession, settings: Settings
) -> None:
    for log in ("offsets", "commits"):
        shutil.rmtree(folder(settings) / log)
    Checkpoint(spark, settings, Query.STATS).clear_unplanned()
    assert not (folder(settings) / "state").exists()
    shutil.rmtree(folder(settings))
    Checkpoint(spark, settings, Query.STATS).clear_unplanned()
    assert not Checkpoint(spark, settings, Query.STATS).has_begun()


def test_a_committed_batch_whose_plan_is_gone_is_named(
    spark: SparkSession, settings: Settings
) -> None:
    for batch in (1, 2):
        (folder(settings) / "offsets" / str(batch)).unlink()
    with pytest.raises(UserError, match="offsets/1 is torn"):
        Checkpoint(spark, settings, Query.STATS).newest_batches()


_READS: dict[str, Callable[[SparkSession, Settings], object]] = {
    "a batch": lambda spark, settings: Checkpoint(spark, settings, Query.STATS).newest_batches(),
    "the origin": lambda spark, settings: read_origin(Checkpoint(spark, settings, Query.STATS)),
    "the start after a repair": read_repaired_start,
    "the log of a table": lambda spark, settings: require_readable(spark, settings, ["t"]),
    "an old commit": lambda spark, settings: [*commits(spark, settings, "t", whole_since=9)],
}


@pytest.mark.parametrize("what", _READS)
def test_a_file_that_a_busy_store_does_not_give_is_not_called_torn(
    spark: SparkSession, settings: Settings, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    for name in ("stats.origin", "archive.starting_offsets"):
        write(folder(settings).parent / name, "{}")
    write(folder(settings).parent / "lake" / "t" / "_delta_log" / f"{0:020}.json", EMPTY_TABLE)
    settings = settings.model_copy(update={"lake": str(folder(settings).parent / "lake")})

    def fail(file: Storage) -> str:
        assert Path(file.uri.removeprefix("file:")).exists()
        java_class(spark, "java.util.Objects").requireNonNull(None, "Read timed out")
        return ""

    monkeypatch.setattr(Storage, "read_text", fail)
    with pytest.raises(Py4JJavaError, match="Read timed out"):
        _READS[what](spark, settings)
