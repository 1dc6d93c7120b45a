"""Spark forks its Python workers from a process that has imported what they need."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

_THREADS_AFTER_THE_IMPORTS = """
from pathlib import Path
from pipeline.spark.python_daemon import import_for_workers
import_for_workers()
print(len(list(Path("/proc/self/task").iterdir())))
"""


def test_the_imports_start_no_thread() -> None:
    environment = os.environ | {"OMP_NUM_THREADS": "1"}  # as Spark starts it
    done = subprocess.run(
        [sys.executable, "-c", _THREADS_AFTER_THE_IMPORTS],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "1\n"


@pytest.mark.spark
def test_a_worker_has_the_parser_from_its_first_moment(spark: SparkSession) -> None:
    def describe(_: object) -> list[tuple[str, bool, str]]:
        parent = Path(f"/proc/{os.getppid()}/cmdline").read_text(encoding="utf-8")
        return [
            (
                parent,
                "pipeline.parsing.parser" in sys.modules,
                sys.modules["pyspark"].__file__ or "",
            )
        ]

    [(daemon, has_parser, pyspark)] = (
        spark.sparkContext.parallelize([0], 1).flatMap(describe).collect()
    )
    assert "pipeline.spark.python_daemon" in daemon
    assert has_parser
    assert ".zip" not in pyspark, "compiled anew at each start"
