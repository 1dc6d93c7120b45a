"""Spark sessions for the contenders, and the contender ``scan``.

``scan`` reads the topic with Spark and writes nothing. No Spark job can be faster on this machine.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.sql import SparkSession

from bench.contenders.registry import Job
from contract.settings import Settings
from pipeline.source import stream_records
from pipeline.spark.session import build_session

_RECORDS_PER_TASK = 20_000


def pipeline_session(settings: Settings) -> SparkSession:
    """Return the session that the pipeline uses; a ``with`` stops it at the end."""
    return build_session(settings, "bench")


def default_session(settings: Settings) -> SparkSession:
    """Return a session with Spark's own defaults; a ``with`` stops it at the end.

    Cores, heap, connector and time zone are the same as in the pipeline's session.
    """
    os.environ.setdefault("SPARK_LOCAL_IP", settings.bind_address)
    return (
        SparkSession.builder.appName("bench")
        .master(settings.spark_master)
        .config("spark.driver.memory", settings.spark_memory)
        .config("spark.driver.extraClassPath", f"{settings.spark_jars.resolve()}/*")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.session.timeZone", "UTC")
        .getOrCreate()
    )


@contextmanager
def scan(settings: Settings) -> Iterator[Job]:
    """Read the whole topic and write nothing."""
    with pipeline_session(settings) as spark:

        def job(settings: Settings) -> None:
            (
                stream_records(spark, settings, _RECORDS_PER_TASK)
                .writeStream.format("noop")
                .option("checkpointLocation", f"{settings.checkpoints}/scan")
                .trigger(availableNow=True)
                .start()
                .awaitTermination()
            )

        yield job
