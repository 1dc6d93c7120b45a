"""PySpark's log of the errors in SQL, which an example and a lab keep from the screen."""

import logging

from pyspark.logger import PySparkLogger

_LOGGERS = ("SQLQueryContextLogger", "DataFrameQueryContextLogger")


def silence_query_context_log() -> None:
    """Show nothing of what PySpark logs when Spark refuses a statement or a column.

    It logs each such error with its stack, as JSON on a line, also where the error is caught and
    said in a sentence.
    """
    for name in _LOGGERS:
        PySparkLogger.getLogger(name).setLevel(logging.CRITICAL)
