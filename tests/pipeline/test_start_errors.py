"""What keeps the pipeline from starting is one sentence, without a traceback."""

import signal
import subprocess
from pathlib import Path

import pytest

from contract.java import java_command
from contract.settings import load_settings
from tests.fixtures.kafka import renew_topics
from tests.fixtures.nest_command import nest

pytestmark = [pytest.mark.kafka, pytest.mark.spark]


@pytest.fixture(scope="module")
def kafka(bootstrap_servers: str) -> str:
    """Address of the broker, with all topics."""
    renew_topics(bootstrap_servers)
    return bootstrap_servers


def pipeline(bootstrap: str, folder: Path, **settings: str) -> "subprocess.CompletedProcess[str]":
    """Run `nest pipeline --once` with the jars of the tests, and settings of its own."""
    environment = {
        "NEST_BOOTSTRAP_SERVERS": bootstrap,
        "NEST_LAKE": str(folder / "lake"),
        "NEST_CHECKPOINTS": str(folder / "checkpoints"),
        "NEST_STATE": str(load_settings().state.resolve()),
        "NEST_SPARK_UI_PORT": "0",
        **settings,
    }
    return nest("pipeline", "--once", timeout=300, **environment)


@pytest.mark.parametrize(
    ("setting", "value", "message"),
    [
        ("JAVA_HOME", "/nowhere/jdk", "JAVA_HOME=/nowhere/jdk holds no bin/java."),
        ("NEST_STATE", "/nowhere/nest", "Spark's jars are not in /nowhere/nest/jars/spark. `nest"),
        ("NEST_SPARK_MEMORY", "900000000g", "Java refuses NEST_SPARK_MEMORY=900000000g: "),
        ("NEST_LAKE", "/dev/null/lake", "The folder /dev/null/lake cannot be written: Not a dir"),
        ("NEST_CHECKPOINTS", "/dev/null/c", "The folder /dev/null/c cannot be written: Not a dir"),
        ("NEST_SPARK_MASTER", "yarn", "Spark's Java process did not start: org.apache.spark"),
    ],
)
def test_what_is_missing_is_named(
    kafka: str, tmp_path: Path, setting: str, value: str, message: str
) -> None:
    done = pipeline(kafka, tmp_path, **{setting: value})
    assert done.stderr.startswith(message)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "\tat " not in done.stderr


def test_memory_that_spark_refuses_is_named(kafka: str, tmp_path: Path) -> None:
    done = pipeline(kafka, tmp_path, NEST_SPARK_MEMORY="100m")
    assert done.returncode == 1
    assert "NEST_SPARK_MEMORY" in done.stderr
    assert "set it to 1g or more." in done.stderr
    assert "Traceback" not in done.stderr


def test_a_java_that_is_killed_while_spark_starts_is_no_error_of_the_pipeline(
    kafka: str, tmp_path: Path
) -> None:
    java = tmp_path / "jdk" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(
        f'#!/bin/sh\ncase "$*" in *launcher.Main*) ;; *deploy.SparkSubmit*) kill -9 $$;; esac\n'
        f'exec "{java_command()}" "$@"\n'
    )
    java.chmod(0o755)
    done = pipeline(kafka, tmp_path, JAVA_HOME=str(tmp_path / "jdk"))
    assert done.stderr.startswith("Spark's Java process was killed (signal 9), as the system does")
    assert done.returncode == 128 + signal.SIGKILL
