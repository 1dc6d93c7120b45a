"""A table by its name in SQL."""

import pytest

from examples.delta.sql_clients import run
from examples.playground import Playground

pytestmark = pytest.mark.spark


def test_spark_and_duckdb_answer_alike(playground: Playground) -> None:
    observed = run(playground)
    assert observed.spark == observed.duckdb == [("01002", 20), ("94304", 30)]
    assert observed.shell.startswith("spark-sql ")
    assert "DeltaCatalog" in observed.shell
