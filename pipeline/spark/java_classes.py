"""Classes of the JVM, by their full names.

Named part by part (``jvm.org.apache.…``), each part makes Java search all jars for a class ``org``,
a class ``org.apache`` and so on, every time: 6 ms for one name, which is much of a small batch.
"""

from typing import Any

from pyspark.sql import SparkSession


def java_class(spark: SparkSession, name: str) -> Any:
    """Return the class of this full name, to make objects of it or call what is static in it."""
    return getattr(spark.sparkContext._jvm, name)


def scala_none(spark: SparkSession) -> Any:
    """Return Scala's None, for an optional argument that is left out."""
    return java_class(spark, "scala.Option").empty()
