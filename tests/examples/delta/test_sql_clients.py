"""A table by its name in SQL."""

import shlex
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from contract.settings import load_settings
from examples.delta.sql_clients import command_for_archive, rows_of_shell, run
from examples.playground import Playground
from pipeline.queries import archive
from tests.pipeline.queries.runs import Send, new_settings, run_to_end, send

pytestmark = pytest.mark.spark


def test_spark_its_shell_and_duckdb_answer_alike(playground: Playground) -> None:
    observed = run(playground)
    expected = [("01002", 20), ("94304", 30)]
    assert (observed.spark, observed.shell, observed.duckdb) == (expected, expected, expected)
    assert observed.command == command_for_archive(playground, load_settings())


@pytest.mark.kafka
def test_the_printed_command_asks_the_archive(
    playground: Playground, spark: SparkSession, bootstrap_servers: str
) -> None:
    with new_settings(bootstrap_servers) as settings:
        sends = [Send(0, 10, 11), Send(1, 70, 70), Send(0, 20, 21)]
        send(bootstrap_servers, [(one.value(), one.sent) for one in sends])
        run_to_end(spark, settings, queries=(archive,))
        shell, *arguments = shlex.split(command_for_archive(playground, settings))
        command = [str(Path(sys.executable).with_name(shell)), *arguments]
        assert sorted(rows_of_shell(command)) == [("cam0", 2), ("cam1", 1)]


@pytest.mark.parametrize(
    ("given", "location"),
    [
        ("s3a://bucket/lake", "s3a://bucket/lake/camera"),
        ("some/lake", f"{Path.cwd()}/some/lake/camera"),
    ],
)
def test_the_archive_is_named_by_its_uri_or_by_its_whole_path(
    playground: Playground, given: str, location: str
) -> None:
    settings = load_settings().model_copy(update={"lake": given})
    statements = shlex.split(command_for_archive(playground, settings))[-1]
    assert f" LOCATION '{location}'; " in statements
