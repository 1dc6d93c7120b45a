"""Spark starts with the classes that `nest jars --share-classes` has written."""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from contract.settings import Settings, load_settings
from pipeline.spark.class_sharing import archive_file, class_sharing_options


def test_an_archive_of_other_jars_is_not_used(tmp_path: Path) -> None:
    settings = Settings(state=tmp_path)
    settings.spark_jars.mkdir(parents=True)
    archive_file(settings).touch()
    assert class_sharing_options(settings)
    (settings.spark_jars / "new.jar").touch()
    assert class_sharing_options(settings) == []


def test_without_an_archive_java_gets_no_option(tmp_path: Path) -> None:
    assert class_sharing_options(Settings(state=tmp_path)) == []


@pytest.mark.spark
def test_the_running_jvm_has_mapped_the_archive(spark: SparkSession) -> None:
    """Java says nothing where an archive does not fit: then it has not mapped it."""
    process = spark._jvm.java.lang.ProcessHandle.current().pid()
    file = archive_file(load_settings())
    assert file.exists(), "`make test` writes it; so does `nest jars --share-classes`"
    assert str(file) in Path(f"/proc/{process}/maps").read_text()
