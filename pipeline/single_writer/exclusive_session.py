"""A Spark session for a command that must not run beside a pipeline."""

from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.sql import SparkSession

from contract.settings import Settings
from pipeline.single_writer.lock import pipeline_lock
from pipeline.single_writer.writable_folders import require_object_store
from pipeline.spark.jvm import explained_failures, stop_session
from pipeline.spark.session import build_session, silence_jvm


@contextmanager
def exclusive_session(settings: Settings) -> Iterator[SparkSession]:
    """Hold the locks of checkpoints and lake, with a session; UserError while a pipeline runs."""
    require_object_store(settings)
    with pipeline_lock(settings), reading_session(settings) as spark:
        yield spark


@contextmanager
def reading_session(settings: Settings) -> Iterator[SparkSession]:
    """Open a session of a command that writes to no table; it may run beside a pipeline.

    Raises UserError for whatever Spark cannot do.
    """
    require_object_store(settings)
    with explained_failures():
        spark = build_session(settings.model_copy(update={"spark_ui_port": 0}))
        try:
            silence_jvm(spark)
            yield spark
        finally:
            stop_session(spark)
