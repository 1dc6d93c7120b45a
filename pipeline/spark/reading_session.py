"""A Spark session without a lock, for a command that only reads, or that has locked already."""

from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.sql import SparkSession

from contract.require_object_store import require_object_store
from contract.settings import Settings
from pipeline.spark.jvm import explained_failures, stop_session
from pipeline.spark.session import build_session, silence_jvm


@contextmanager
def reading_session(settings: Settings) -> Iterator[SparkSession]:
    """Open a session that may run beside a pipeline; UserError for whatever Spark cannot do."""
    require_object_store(settings)
    with explained_failures():
        spark = build_session(settings.model_copy(update={"spark_ui_port": 0}))
        try:
            silence_jvm(spark)
            yield spark
        finally:
            stop_session(spark)
