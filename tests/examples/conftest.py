"""A playground for each test: the run's one Spark session and broker, and a folder of its own."""

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from pyspark.sql import SparkSession
from rich.console import Console

from examples.playground import Playground


@pytest.fixture
def playground(
    spark: SparkSession, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Playground]:
    """Kafka starts only if the example asks for it."""
    playground = Playground(
        spark,
        tmp_path,
        Console(width=100),
        start_kafka=lambda: request.getfixturevalue("bootstrap_servers"),
        kafka_pid=lambda: request.getfixturevalue("broker").pid,
        suffix=f"-{uuid4().hex[:8]}",
    )
    yield playground
    playground.close()
