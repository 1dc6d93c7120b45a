"""A small file is replaced at once: its old content stays whole until the new one is."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pyspark.sql import SparkSession

from pipeline.spark.storage import Storage

pytestmark = pytest.mark.spark


def test_a_file_is_replaced_with_its_checksum(spark: SparkSession, tmp_path: Path) -> None:
    file = Storage(spark, str(tmp_path / "file"))
    for text in ("the first text", "ü", ""):
        file.write_text(text)
        assert file.read_text() == text
        assert sorted(path.name for path in tmp_path.iterdir()) == [".file.crc", "file"]


def test_the_names_in_a_folder_are_as_they_are(spark: SparkSession, tmp_path: Path) -> None:
    folder = Storage(spark, str(tmp_path / "a folder, ü\nof two lines"))
    assert folder.names() == []
    folder.delete()
    for name in ("00000.json", "with, comma", "ü", "day=1", "two\nlines"):
        Path(tmp_path / "a folder, ü\nof two lines" / name).mkdir(parents=True)
    assert sorted(folder.names()) == ["00000.json", "day=1", "two\nlines", "with, comma", "ü"]
    assert Storage(spark, f"{folder.uri}/day=1").names() == []


def test_a_write_that_fails_leaves_the_old_content(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = Storage(spark, str(tmp_path / "file"))
    file.write_text("old")

    def fail(self: Storage, path: Any, text: str) -> None:
        self._fs.create(path, True).close()
        raise OSError("No space left on device")

    monkeypatch.setattr(Storage, "_write", fail)
    with pytest.raises(OSError, match="No space"):
        file.write_text("new")
    assert file.read_text() == "old"


def test_a_rename_that_fails_is_an_error(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, other = (Storage(spark, str(tmp_path / name)) for name in ("file", "other"))
    failing = SimpleNamespace(makeQualified=file._fs.makeQualified, rename=lambda *_: False)
    monkeypatch.setattr(file, "_fs", failing)  # an object store without the file says no more
    with pytest.raises(OSError, match=r"/file cannot be renamed to file:.*/other"):
        file.rename_to(other)
