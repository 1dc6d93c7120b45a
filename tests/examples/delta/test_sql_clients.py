"""A table by its name in SQL."""

import pytest

from examples.delta.sql_clients import run
from examples.playground import Playground

pytestmark = pytest.mark.spark


def test_spark_its_shell_and_duckdb_answer_alike(playground: Playground) -> None:
    observed = run(playground)
    expected = [("01002", 20), ("94304", 30)]
    assert (observed.spark, observed.shell, observed.duckdb) == (expected, expected, expected)
    assert observed.command.startswith("spark-sql ")
    assert " FROM camera " in observed.command
