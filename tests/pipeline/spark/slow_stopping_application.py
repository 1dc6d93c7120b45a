"""A Spark application that is told to stop, and whose work would take ten minutes more."""

import os
import signal
import sys
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from pipeline.spark import stopping
from pipeline.spark.jvm import JvmEnded, explained_failures, mute_py4j

stopping.STOP_LIMIT_S = 1.0
limit = stopping.Stopping()
mute_py4j()
spark = SparkSession.builder.getOrCreate()
limit.listen()
jvm: Any = spark.sparkContext._jvm
os.kill(os.getpid(), signal.SIGTERM)
try:
    with explained_failures():
        jvm.java.lang.Thread.sleep(600_000)
except JvmEnded as ended:
    limit.mark_stopped()
    # What Python prints goes through the JVM, which is gone.
    Path(sys.argv[1]).write_text(f"Cut off by signal {limit.signal}. {ended}")
