"""A stop has a limit, whoever has started the JVM."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from contract.polling import poll_until

ROOT = Path(__file__).parents[3]


SUBMIT = Path(sys.executable).with_name("spark-submit")


@pytest.mark.spark
def test_a_stop_under_spark_submit_is_cut_off_at_its_limit(tmp_path: Path) -> None:
    application, said = Path(__file__).with_name("slow_stopping_application.py"), tmp_path / "said"
    ended = subprocess.run(
        [SUBMIT, "--master", "local[1]", "--driver-memory", "512m", application, said],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYSPARK_PYTHON": sys.executable},
        check=False,
    )
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    poll_until(lambda: said.exists() and said.read_text(), "the application's last words", 30)
    assert said.read_text().startswith("Cut off by signal 15. Spark's Java process, which spark-")
