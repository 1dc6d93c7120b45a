"""Delta's own view of a table, from the JVM: Python has none of it."""

from typing import Any

from pyspark.sql import SparkSession

from pipeline.spark.java_classes import java_class, scala_none


def log_at(spark: SparkSession, uri: str) -> Any:
    """Return the JVM's object for the transaction log of the table at a URI."""
    return _delta_log(spark).forTable(spark._jsparkSession, uri)


def snapshot_at(spark: SparkSession, uri: str) -> Any:
    """Return the table at its newest version."""
    none = scala_none(spark)
    return log_at(spark, uri).update(False, none, none)


def forget_snapshots(spark: SparkSession) -> None:
    """Let this JVM read the logs of all tables anew: what it knows is of logs as they were."""
    _delta_log(spark).clearCache()


def _delta_log(spark: SparkSession) -> Any:
    return java_class(spark, "org.apache.spark.sql.delta.DeltaLog")
