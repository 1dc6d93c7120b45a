"""Spark starts with the classes that `nest jars --share-classes` has written."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from contract.settings import Settings, load_settings
from pipeline.spark.class_sharing import class_archive_file, class_sharing_options

_WRITES = """
from contract.settings import load_settings
from pipeline.commands import share_spark_classes as command
from pipeline.commands.share_spark_classes import share_spark_classes
command._use_what_the_pipeline_uses = lambda *_: None  # the path is asked for, not the classes
for former in load_settings().spark_jars.glob("classes-*"):
    former.unlink()
share_spark_classes(load_settings())
"""
_MAPS = """
from pathlib import Path
from contract.settings import load_settings
from pipeline.spark.class_sharing import class_archive_file
from pipeline.spark.session import build_session
spark = build_session(load_settings())
process = spark._jvm.java.lang.ProcessHandle.current().pid()
name = class_archive_file(load_settings()).name
assert name in Path(f"/proc/{process}/maps").read_text(), name
spark.stop()
"""


def test_an_option_with_blanks_and_quotes_stays_one(tmp_path: Path) -> None:
    settings = Settings(state=tmp_path / """a "b" c'd \\ e""")
    settings.spark_jars.mkdir(parents=True)
    class_archive_file(settings).touch()
    option, *_ = shlex.split(" ".join(class_sharing_options(settings)))
    assert option == f"-XX:SharedArchiveFile={class_archive_file(settings)}"


@pytest.mark.spark
@pytest.mark.timeout(600)
def test_the_archive_may_be_in_a_folder_with_blanks_and_quotes(tmp_path: Path) -> None:
    state = tmp_path / """a "b" c'd \\ e"""
    shutil.copytree(load_settings().spark_jars, state / "jars" / "spark", copy_function=os.link)
    environment = {**os.environ, "NEST_STATE": str(state)}
    for program in (_WRITES, _MAPS):
        done = subprocess.run(
            [sys.executable, "-c", program],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.spark
def test_the_running_jvm_has_mapped_the_archive(spark: SparkSession) -> None:
    """Java says nothing where an archive does not fit: then it has not mapped it."""
    process = spark._jvm.java.lang.ProcessHandle.current().pid()
    file = class_archive_file(load_settings())
    assert file.exists(), "`make test` writes it; so does `nest jars --share-classes`"
    assert str(file) in Path(f"/proc/{process}/maps").read_text()
