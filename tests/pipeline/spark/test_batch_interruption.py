"""A query that is stopped in the middle of a batch in Python ends like any other."""

import threading
from pathlib import Path

import pytest
from py4j.protocol import Py4JJavaError
from pyspark.sql import DataFrame, SparkSession

from pipeline.spark.batch_interruption import shorten_interruption


def test_a_stop_in_the_middle_of_a_batch_is_no_failure(spark: SparkSession, tmp_path: Path) -> None:
    began = threading.Event()

    @shorten_interruption
    def write(batch: DataFrame, batch_id: int) -> None:
        began.set()
        spark._jvm.java.lang.Thread.sleep(600_000)

    query = (
        spark.readStream.format("rate")
        .load()
        .writeStream.foreachBatch(write)
        .option("checkpointLocation", str(tmp_path))
        .start()
    )
    assert began.wait(60)
    query.stop()
    assert query.status["message"] == "Stopped"
    assert query.exception() is None


def test_a_failure_keeps_all_that_java_says_of_it(spark: SparkSession) -> None:
    @shorten_interruption
    def write() -> None:
        spark._jvm.java.net.URI("no address")

    with pytest.raises(Py4JJavaError, match="URISyntaxException: Illegal character"):
        write()
