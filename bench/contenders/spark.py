"""scan: Spark reads the topic and throws it away, the most that it can do on this machine."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pyspark.sql import SparkSession

from contract.settings import Settings
from pipeline.session import build_session
from pipeline.source import stream_records

ONCE: dict[str, object] = {"availableNow": True}
Work = Callable[[Settings], None]

_RECORDS_PER_TASK = 20_000


@contextmanager
def session(settings: Settings) -> Iterator[SparkSession]:
    """Give the pipeline's own session, and stop it."""
    spark = build_session(settings, "bench")
    try:
        yield spark
    finally:
        spark.stop()


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
