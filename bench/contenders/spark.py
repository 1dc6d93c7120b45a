"""scan: Spark reads the topic and throws it away, the most that it can do on this machine."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pyspark.sql import SparkSession

from contract.settings import Settings
from pipeline.session import build_session
from pipeline.source import stream_records

ONCE: dict[str, object] = {"availableNow": True}
Work = Callable[[Settings], None]

_RECORDS_PER_TASK = 20_000


def session(settings: Settings) -> SparkSession:
    """Return the pipeline's own session; as a ``with`` it is stopped at the end."""
    return build_session(settings, "bench")


def stock_session(settings: Settings) -> SparkSession:
    """Return a session with Spark's own defaults; as a ``with`` it is stopped at the end.

    Cores, heap, connector and the time zone are those of the pipeline's.
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
def scan(settings: Settings) -> Iterator[Work]:
    """Read all and write nothing."""
    with session(settings) as spark:

        def work(settings: Settings) -> None:
            (
                stream_records(spark, settings, _RECORDS_PER_TASK)
                .writeStream.format("noop")
                .option("checkpointLocation", f"{settings.checkpoints}/scan")
                .trigger(availableNow=True)
                .start()
                .awaitTermination()
            )

        yield work
